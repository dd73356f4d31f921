import assert from 'node:assert/strict';
import { it } from 'node:test';
import { versionText } from './version.js';

it('binnacle version prints a line, or an object', () => {
  assert.match(versionText(), /^Binnacle \d+\.\d+\.\d+, Kubernetes API 1\.\d+, Node v\d+\./);
  const { node, ...others } = JSON.parse(versionText('json')) as Record<string, string>;
  assert.equal(node, process.version);
  assert.deepEqual(Object.keys(others), ['binnacle', 'kubernetes']);
});
