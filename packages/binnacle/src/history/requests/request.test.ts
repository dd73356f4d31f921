import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseNamedTarget } from './request.js';

it('a target is a kind, with or without a name', () => {
  assert.deepEqual(parseNamedTarget('deploy/web'), { kind: 'deploy', name: 'web' });
  assert.deepEqual(parseNamedTarget('deployments.v1.apps'), { kind: 'deployments.v1.apps' });
  for (const text of ['', '/web', 'deploy/', 'a/b/c', 'a b']) assert.equal(parseNamedTarget(text), undefined, text);
});
