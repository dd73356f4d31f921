import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AbacPolicy, abacAuthorizer } from './abac.js';
import { allowAllAuthorizer, denyAllAuthorizer } from './always.js';
import type { AuthorizationAttributes } from './authorizer.js';

const nothing: AbacPolicy = {
  user: '',
  group: '',
  readonly: false,
  apiGroup: '',
  resource: '',
  namespace: '',
  nonResourcePath: '',
};
const everything = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };
const asked: AuthorizationAttributes = {
  user: { name: 'jane', uid: '', groups: ['dev'], extra: {} },
  verb: 'create',
  isResourceRequest: true,
  namespace: 'team',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  name: '',
  path: '/apis/apps/v1/namespaces/team/deployments',
};
const path = (to: string): Partial<AuthorizationAttributes> => ({ isResourceRequest: false, path: to, verb: 'get' });

// Cases of upstream's `pkg/auth/authorizer/abac/abac_test.go` gave the ideas.
describe('abacAuthorizer', () => {
  const cases: readonly (readonly [Partial<AbacPolicy>, Partial<AuthorizationAttributes>, boolean])[] = [
    [{ user: 'jane', ...everything }, {}, true],
    [{ user: 'eve', ...everything }, {}, false],
    [{ group: 'dev', ...everything }, {}, true],
    [{ group: 'ops', ...everything }, {}, false],
    [{ user: 'jane', group: 'ops', ...everything }, {}, false],
    [{ user: '*', ...everything }, {}, true],
    [everything, {}, false],
    [{ user: 'jane', ...everything, readonly: true }, {}, false],
    [{ user: 'jane', ...everything, readonly: true }, { verb: 'watch' }, true],
    [{ user: 'jane', ...everything, apiGroup: 'apps' }, {}, true],
    [{ user: 'jane', ...everything, apiGroup: 'batch' }, {}, false],
    [{ user: 'jane', ...everything, resource: 'pods' }, {}, false],
    [{ user: 'jane', ...everything, namespace: 'other' }, {}, false],
    [{ user: 'jane' }, {}, false],
    [{ user: 'jane', nonResourcePath: '/api*' }, path('/apis/apps'), true],
    [{ user: 'jane', nonResourcePath: '/api' }, path('/apis'), false],
    [{ user: 'jane', nonResourcePath: '/api' }, path('/api'), true],
    [{ user: 'jane', ...everything, nonResourcePath: '' }, path('/api'), false],
  ];
  for (const [policy, changes, allowed] of cases) {
    it(`${JSON.stringify(policy)} ${allowed ? 'allows' : 'ignores'} ${JSON.stringify(changes)}`, async () => {
      const decision = await abacAuthorizer([nothing, { ...nothing, ...policy }]).authorize({ ...asked, ...changes });
      assert.deepEqual(decision, { allowed, reason: allowed ? '' : 'No policy matched.' });
    });
  }

  it('is not needed to allow everything or nothing: AlwaysAllow and AlwaysDeny do', async () => {
    assert.equal((await allowAllAuthorizer.authorize(asked)).allowed, true);
    const denied = await denyAllAuthorizer.authorize(asked);
    assert.deepEqual(denied, { allowed: false, reason: 'Everything is forbidden.' });
  });
});
