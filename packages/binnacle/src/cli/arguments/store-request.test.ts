import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('store commands take a directory, and a file where they need one', () => {
  const parse = (...args: string[]) => parseCommandLine(['store', ...args]);
  assert.deepEqual(parse('check'), { command: 'store', request: { action: 'check' } });
  assert.deepEqual(parse('compact', '--keep', '1h'), {
    command: 'store',
    request: { action: 'compact', keepMs: 3_600_000 },
  });
  assert.deepEqual(parse('compact', '--data-dir=/d'), {
    command: 'store',
    request: { action: 'compact', dataDirectory: '/d' },
  });
  for (const action of ['backup', 'restore']) {
    assert.deepEqual(parse(action, 'file', '--data-dir', '/d'), {
      command: 'store',
      request: { action, file: 'file', dataDirectory: '/d' },
    });
    assert.match(textOf('store', action), /^wrong: binnacle: missing required argument 'FILE'; see binnacle store/);
  }
  assert.deepEqual(parse('restore', 'file', '--bump-revision=7'), {
    command: 'store',
    request: { action: 'restore', file: 'file', bumpRevision: 7 },
  });
  assert.deepEqual(parse('purge', 'secret', 'default/db'), {
    command: 'store',
    request: { action: 'purge', kind: 'secret', name: 'default/db' },
  });
  assert.match(textOf('store', 'purge', 'secret'), /missing required argument 'NAME'/);
  assert.match(textOf('store', 'purge', 'secret', ''), /NAME is empty/);
  assert.match(textOf('store', 'restore', 'file', '--bump-revision=-7'), /is not a number: give 0 or more;/);
  assert.match(textOf('store', 'backup', 'file', '--bump-revision=7'), /unknown option '--bump-revision=7'/);
  assert.match(textOf('store', 'check', 'file'), /^wrong: .*too many arguments/);
  assert.match(textOf('store', 'check', '--data-dir='), /^wrong: binnacle: --data-dir is empty;/);
  assert.match(textOf('store', 'frob'), /^wrong: binnacle: unknown command 'frob'; see binnacle store --help\n$/);
  assert.match(textOf('store'), /^wrong: Usage: binnacle store/);
  assert.match(textOf('store', '--help'), /^help: Usage: binnacle store/);
});
