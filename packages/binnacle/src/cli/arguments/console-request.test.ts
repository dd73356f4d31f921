import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('console takes a kubeconfig, a context and a port', () => {
  assert.deepEqual(parseCommandLine(['console']), { command: 'console', request: {} });
  assert.deepEqual(parseCommandLine(['console', '--kubeconfig=a', '--context', 'b', '--port', '4000']), {
    command: 'console',
    request: { kubeconfig: 'a', context: 'b', port: 4000 },
  });
  assert.match(textOf('console', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('console', '--context='), /^wrong: binnacle: NAME is empty/);
  assert.match(
    textOf('console', '--port=x'),
    /^wrong: binnacle: --port "x" is not a port.*see binnacle console --help/,
  );
});
