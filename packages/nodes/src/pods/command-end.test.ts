import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endOfCommand } from './command-end.js';

const aSecond = { after: 1000, exitCode: 0 };

for (const [command, end] of [
  [undefined, aSecond],
  [['report', '--daily'], aSecond],
  [['sleep', '30'], { after: 30_000, exitCode: 0 }],
  [['/bin/sleep', '1.5m'], { after: 90_000, exitCode: 0 }],
  [['sh', '-c', 'sleep 2h'], { after: 7_200_000, exitCode: 0 }],
  [['sleep', 'infinity'], undefined],
  [['sleep', '1000d'], undefined],
  [['sleep', 'well'], aSecond],
  [['/bin/sh', '-c', 'exit 1'], { after: 1000, exitCode: 1 }],
  [['/bin/sh', '-c', 'exit 256'], aSecond],
  [['sh', '-c', 'sleep 5; exit 1'], aSecond],
] as const) {
  it(`a container of a Job with the command ${JSON.stringify(command)}`, () => {
    const container = { name: 'c', ...(command === undefined ? {} : { command: [...command] }) };
    assert.deepEqual(endOfCommand(container), end);
  });
}

it('the image that pauses runs forever without a command', () => {
  assert.equal(endOfCommand({ name: 'c', image: 'registry.k8s.io/pause:3.10' }), undefined);
  assert.deepEqual(endOfCommand({ name: 'c', image: 'pause', command: ['true'] }), aSecond);
  assert.deepEqual(endOfCommand({ name: 'c', image: 'example.com/pauses:1' }), aSecond);
});

it('the arguments of a container belong to its command', () => {
  assert.deepEqual(endOfCommand({ name: 'c', command: ['sh', '-c'], args: ['exit 3'] }), { after: 1000, exitCode: 3 });
  assert.deepEqual(endOfCommand({ name: 'c', args: ['sleep', '7'] }), { after: 7000, exitCode: 0 });
});
