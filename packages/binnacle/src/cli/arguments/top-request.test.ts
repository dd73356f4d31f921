import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('top takes a kubeconfig, a context, and an end', () => {
  assert.deepEqual(parseCommandLine(['top']), { command: 'top', request: {} });
  const request = { kubeconfig: 'a', context: 'b', once: true };
  assert.deepEqual(parseCommandLine(['top', '--kubeconfig=a', '--context', 'b', '--once']), {
    command: 'top',
    request,
  });
  assert.match(textOf('top', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('top', '--context='), /^wrong: binnacle: NAME is empty/);
});
