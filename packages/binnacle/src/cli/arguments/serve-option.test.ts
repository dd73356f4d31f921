import assert from 'node:assert/strict';
import { it } from 'node:test';
import { optionUsage, type ServeOption, startOptionsOf, toCommanderOption } from './serve-option.js';

const options: readonly ServeOption[] = [
  {
    name: 'v',
    short: 'v',
    type: 'count',
    placeholder: 'LEVEL',
    key: 'verbosity',
    default: '0',
    description: 'how much',
  },
  { name: 'in-memory', type: 'switch', key: 'inMemory', description: 'in memory' },
  { name: 'etcd-servers', type: 'text', placeholder: 'LIST', key: 'etcdServers', description: 'members' },
  { name: 'image-command', type: 'texts', placeholder: 'A=B', key: 'imageCommands', description: 'programs' },
];

it('shows the usage, and for commander the default', () => {
  assert.deepEqual(options.map(optionUsage), [
    '-v, --v LEVEL',
    '--in-memory',
    '--etcd-servers LIST',
    '--image-command A=B',
  ]);
  const [level, memory] = options.map(toCommanderOption);
  assert.deepEqual([level?.flags, level?.description], ['-v, --v <LEVEL>', 'how much (default: 0)']);
  assert.deepEqual([memory?.flags, memory?.description], ['--in-memory [BOOLEAN]', 'in memory']);
});

it('collects the values of a repeated option', () => {
  const option = toCommanderOption({
    name: 'a',
    type: 'texts',
    placeholder: 'B',
    key: 'imageCommands',
    description: '',
  });
  assert.deepEqual(option.parseArg?.('2', option.parseArg('1', undefined)), ['1', '2']);
});

it('maps the names of commander to the fields, and leaves out what has another type', () => {
  const values = { v: 4, inMemory: true, etcdServers: 'a', imageCommand: ['b'], other: 'c' };
  const read = { verbosity: 4, inMemory: true, etcdServers: 'a', imageCommands: ['b'] };
  assert.deepEqual(startOptionsOf(options, values), read);
  assert.deepEqual(startOptionsOf(options, { v: '4', inMemory: 'true', etcdServers: 1, imageCommand: 'b' }), {});
});
