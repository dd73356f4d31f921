import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthorizationAttributes } from './authorizer.js';
import { kubeletUserAuthorizer } from './kubelet-user.js';

const allowed: AuthorizationAttributes = {
  user: { name: 'kubelet-client', uid: '', groups: [], extra: {} },
  verb: 'create',
  isResourceRequest: true,
  namespace: '',
  group: '',
  version: 'v1',
  resource: 'nodes',
  subresource: 'proxy',
  name: 'n',
  path: '',
};

describe('kubeletUserAuthorizer', () => {
  for (const [what, changes, expected] of [
    ['the API of kubelets', {}, true],
    ['statistics', { subresource: 'stats', verb: 'get' }, true],
    ['no node', { subresource: '' }, false],
    ['no status', { subresource: 'status' }, false],
    ['no other resource', { resource: 'pods' }, false],
    ['no other group', { group: 'x' }, false],
    ['no path', { isResourceRequest: false }, false],
    ['nobody else', { user: { ...allowed.user, name: 'jane' } }, false],
  ] as const) {
    it(`allows ${what}`, () => {
      const decision = kubeletUserAuthorizer('kubelet-client').authorize({ ...allowed, ...changes });
      assert.deepEqual(decision, { allowed: expected, reason: '' });
    });
  }
});
