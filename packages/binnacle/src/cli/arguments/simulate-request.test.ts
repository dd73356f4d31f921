import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('simulate takes a file and seeds', () => {
  const parse = (...args: string[]) => parseCommandLine(['simulate', ...args]);
  assert.deepEqual(parse('f.yaml'), { command: 'simulate', request: { file: 'f.yaml', seed: 1, seeds: 1 } });
  assert.deepEqual(parse('f.yaml', '--seed=4', '--nodes=9', '--until=12', '--history=h'), {
    command: 'simulate',
    request: { file: 'f.yaml', seed: 4, seeds: 1, nodes: 9, until: 12, history: 'h' },
  });
  assert.match(textOf('simulate'), /^wrong: binnacle: missing required argument 'FILE'/);
  assert.match(textOf('simulate', 'f', '--seeds=0'), /--seeds must be 1 or more/);
  assert.match(textOf('simulate', 'f', '--nodes=5001'), /--nodes must be at most 5000/);
  assert.match(textOf('simulate', 'f', '--until=0'), /--until must be 1 or more/);
  assert.match(textOf('simulate', 'f', '--seeds=2', '--until=9'), /--until and --history need a single seed/);
  assert.match(textOf('simulate', '--help'), /^help: Usage: binnacle simulate/);
});
