import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseCommandLine } from './command-line.js';
import { textOf } from './text-of.testing.js';

it('nodes takes a count, a kubeconfig and the address of kubelets', () => {
  const parse = (...args: string[]) => parseCommandLine(['nodes', ...args]);
  assert.deepEqual(parse(), { command: 'nodes', request: { count: 1, metrics: true } });
  assert.deepEqual(parse('--count=3', '--kubeconfig=f'), {
    command: 'nodes',
    request: { count: 3, metrics: true, kubeconfig: 'f' },
  });
  assert.deepEqual(parse('--kubelet-address=10.0.0.1'), {
    command: 'nodes',
    request: { count: 1, metrics: true, kubeletAddress: '10.0.0.1' },
  });
  assert.match(textOf('nodes', '--kubelet-address=host'), /^wrong: binnacle: --kubelet-address must be an IP address/);
  assert.match(textOf('nodes', '--kubeconfig='), /^wrong: binnacle: FILE is empty/);
  for (const count of ['0', '5001']) {
    assert.match(textOf('nodes', `--count=${count}`), /^wrong: binnacle: --count must be from 1 to 5000/);
  }
  assert.match(textOf('nodes', '--help'), /^help: Usage: binnacle nodes/);
});
