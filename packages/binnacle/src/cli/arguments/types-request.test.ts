import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('types takes files, and one to verify', () => {
  assert.deepEqual(parseCommandLine(['types', 'a', '-', '--verify', 'b']), {
    command: 'types',
    request: { files: ['a', '-'], verify: 'b' },
  });
  assert.deepEqual(parseCommandLine(['types', 'a']), { command: 'types', request: { files: ['a'] } });
  assert.match(textOf('types'), /^wrong: binnacle: neither FILE nor --from-server is given; see binnacle types --help/);
  assert.deepEqual(parseCommandLine(['types', '--from-server', 'a']), {
    command: 'types',
    request: { files: ['a'], server: {} },
  });
  assert.deepEqual(parseCommandLine(['types', '--from-server', '--context=b']), {
    command: 'types',
    request: { files: [], server: { context: 'b' } },
  });
  assert.match(textOf('types', 'a', '--context=b'), /^wrong: binnacle: --context is given without --from-server/);
  assert.match(textOf('types', ''), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('types', 'a', '--verify='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('types', '--help'), /^help: Usage: binnacle types/);
});
