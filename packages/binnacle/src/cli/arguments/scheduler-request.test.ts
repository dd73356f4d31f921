import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('scheduler takes a kubeconfig and leader election', () => {
  const parse = (...args: string[]) => parseCommandLine(['scheduler', ...args]);
  assert.deepEqual(parse(), { command: 'scheduler', request: { leaderElect: true } });
  assert.deepEqual(parse('--kubeconfig=f', '--leader-elect=false'), {
    command: 'scheduler',
    request: { kubeconfig: 'f', leaderElect: false },
  });
  assert.deepEqual(parse('--config=c', '--leader-elect=false'), {
    command: 'scheduler',
    request: { config: 'c', leaderElect: false },
  });
  assert.match(textOf('scheduler', '--config='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('scheduler', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
  assert.match(textOf('scheduler', '--help'), /^help: Usage: binnacle scheduler/);
});
