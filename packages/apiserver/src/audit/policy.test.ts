import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditedRequest, type AuditedUser, type AuditRule, decideAudit } from './policy.js';

type Given = AuditedRequest & { readonly user: AuditedUser | undefined };

const request: Given = {
  user: { name: 'jane', groups: ['dev', 'system:authenticated'] },
  verb: 'get',
  isResourceRequest: true,
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'shop',
  name: 'web',
  path: '/api/v1/namespaces/shop/pods/web',
};
const log = { ...request, subresource: 'log' };
const version = { ...request, isResourceRequest: false, resource: '', namespace: '', name: '', path: '/version' };

const levelOf = (rule: Partial<AuditRule>, given: Given) =>
  decideAudit({ rules: [{ level: 'Request', ...rule }] }, given, given.user).level;

describe('decideAudit', () => {
  for (const [name, rule, given, isMatch] of [
    ['a rule without conditions', {}, request, true],
    ['the name of the user', { users: ['jane'] }, request, true],
    ['the name of another user', { users: ['joe'] }, request, false],
    ['any of the groups', { userGroups: ['ops', 'dev'] }, request, true],
    ['another group', { userGroups: ['ops'] }, request, false],
    ['a user where none is known', { users: ['jane'] }, { ...request, user: undefined }, false],
    ['a group where no user is known', { userGroups: ['dev'] }, { ...request, user: undefined }, false],
    ['the verb', { verbs: ['get'] }, request, true],
    ['another verb', { verbs: ['list'] }, request, false],
    ['the namespace', { namespaces: ['shop'] }, request, true],
    ['no namespace', { namespaces: [''] }, request, false],
    ['no namespace of a request without one', { namespaces: [''] }, { ...request, namespace: '' }, true],
    ['a namespace of no resource', { namespaces: [''] }, version, false],
    ['a group of resources', { resources: [{ group: '' }] }, request, true],
    ['another group of resources', { resources: [{ group: 'apps' }] }, request, false],
    ['the resource', { resources: [{ resources: ['pods'] }] }, request, true],
    ['the resource for its subresource', { resources: [{ resources: ['pods'] }] }, log, false],
    ['the subresource', { resources: [{ resources: ['pods/log'] }] }, log, true],
    ['the subresource of any resource', { resources: [{ resources: ['*/log'] }] }, log, true],
    ['any subresource', { resources: [{ resources: ['pods/*'] }] }, log, true],
    ['any subresource for the resource itself', { resources: [{ resources: ['pods/*'] }] }, request, false],
    ['everything', { resources: [{ resources: ['*'] }] }, log, true],
    ['the name', { resources: [{ resources: ['pods'], resourceNames: ['web'] }] }, request, true],
    ['another name', { resources: [{ resources: ['pods'], resourceNames: ['db'] }] }, request, false],
    ['the path', { nonResourceURLs: ['/version'] }, version, true],
    ['a prefix of the path', { nonResourceURLs: ['/ver*'] }, version, true],
    ['another path', { nonResourceURLs: ['/healthz*'] }, version, false],
    ['the path of a resource', { nonResourceURLs: ['*'] }, request, false],
  ] as const satisfies readonly (readonly [string, Partial<AuditRule>, Given, boolean])[]) {
    it(`${isMatch ? 'matches' : 'does not match'} ${name}`, () => {
      assert.equal(levelOf(rule, given), isMatch ? 'Request' : 'None');
    });
  }

  it('takes the first rule that matches, and adds its stages to those of the policy', () => {
    const policy = {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'None', verbs: ['watch'] },
        { level: 'Metadata', omitStages: ['ResponseStarted'], omitManagedFields: false },
        { level: 'Request' },
      ],
    } as const;
    const decided = decideAudit(policy, request, request.user);
    assert.equal(decided.level, 'Metadata');
    assert.deepEqual([...decided.omitStages], ['RequestReceived', 'ResponseStarted']);
    assert.equal(decided.omitManagedFields, false);
    assert.equal(
      decideAudit({ ...policy, rules: [{ level: 'Request' }] }, request, request.user).omitManagedFields,
      true,
    );
    assert.equal(decideAudit({ rules: [] }, request, request.user).level, 'None');
  });
});
