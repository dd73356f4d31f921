import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

const requestOf = (...args: readonly string[]) => parseCommandLine(['cluster', ...args]);
const found = (request: object) => ({ command: 'cluster', request });

it('reads the arguments of binnacle cluster', () => {
  const waitMs = 60_000;
  assert.deepEqual(requestOf('create', 'dev'), found({ action: 'create', name: 'dev', nodes: 1, waitMs }));
  assert.deepEqual(
    requestOf('create', 'a.b-1', '--nodes=3', '--wait', '2m', '--kubeconfig', 'file'),
    found({ action: 'create', name: 'a.b-1', nodes: 3, waitMs: 120_000, kubeconfig: 'file' }),
  );
  assert.deepEqual(requestOf('start', 'dev'), found({ action: 'start', name: 'dev', waitMs }));
  assert.deepEqual(requestOf('list'), found({ action: 'list' }));
  assert.deepEqual(requestOf('list', '-o', 'json'), found({ action: 'list', output: 'json' }));
  assert.deepEqual(requestOf('stop', 'dev'), found({ action: 'stop', name: 'dev' }));
  assert.deepEqual(requestOf('delete', 'dev'), found({ action: 'delete', name: 'dev' }));
  assert.deepEqual(requestOf('kubeconfig', 'dev'), found({ action: 'kubeconfig', name: 'dev' }));
});

it('refuses names that are not part of a path, and options that have no meaning', () => {
  for (const name of ['', '..', '../x', '.x', 'A', 'a/b', 'a b', '-a', 'x'.repeat(51)]) {
    assert.match(textOf('cluster', 'delete', '--', name), /is not a name/, name);
  }
  assert.match(
    textOf('cluster', 'create', 'dev', '--image', 'kindest/node'),
    /--image is not supported: nodes are simulated/,
  );
  assert.match(
    textOf('cluster', 'create', '--name', 'dev', 'x'),
    /--name is not supported: give the name as the argument/,
  );
  assert.match(textOf('cluster', 'create', 'dev', '--config=x'), /--config is not supported/);
  assert.match(textOf('cluster', 'create', 'dev', '--nodes', '5001'), /at most 5000/);
  assert.match(textOf('cluster', 'create', 'dev', '--wait', '5'), /is not a duration/);
  assert.match(textOf('cluster', 'create'), /missing required argument/);
  assert.match(textOf('cluster'), /^wrong: Usage: binnacle cluster/);
});
