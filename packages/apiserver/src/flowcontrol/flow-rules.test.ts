import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyRulesWithSubjects, Subject } from '@binnacle/api/types/flowcontrol-v1';
import { matches, type RequestFacts, rulesOf } from './flow-rules.js';

const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const everyPath = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
const anyone: Subject[] = [{ kind: 'Group', group: { name: '*' } }];

const pods: RequestFacts = {
  isResourceRequest: true,
  verb: 'get',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: 'n',
  path: '/api/v1/namespaces/n/pods',
};
const page = (path: string): RequestFacts => ({ ...pods, isResourceRequest: false, path });

describe('rulesOf', () => {
  const account = (namespace: string, name: string): Subject => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace, name },
  });
  const cases: readonly (readonly [Subject, ReturnType<typeof user>, boolean])[] = [
    [{ kind: 'User', user: { name: 'a' } }, user('a'), true],
    [{ kind: 'User', user: { name: 'a' } }, user('b', 'a'), false],
    [{ kind: 'User', user: { name: '*' } }, user('b'), true],
    [{ kind: 'User' }, user('a'), false],
    [{ kind: 'Group', group: { name: 'g' } }, user('a', 'f', 'g'), true],
    [{ kind: 'Group', group: { name: 'g' } }, user('g'), false],
    [{ kind: 'Group', group: { name: '*' } }, user('a'), true],
    [account('n', 's'), user('system:serviceaccount:n:s'), true],
    [account('n', 's'), user('system:serviceaccount:n:st'), false],
    [account('n', '*'), user('system:serviceaccount:n:any'), true],
    [account('n', '*'), user('system:serviceaccount:nn:any'), false],
    [account('n', 's'), user('s'), false],
    [{ kind: 'Robot' }, user('a'), false],
  ];
  for (const [subject, who, wanted] of cases) {
    it(`${JSON.stringify(subject)} ${wanted ? 'is' : 'is not'} ${who.name} of ${who.groups.join()}`, () => {
      const rules = [{ subjects: [subject], nonResourceRules: everyPath }];
      assert.equal(rulesOf(who, { rules }).length === 1, wanted);
    });
  }

  it('keeps only the rules that name the user', () => {
    const rule = (name: string): PolicyRulesWithSubjects => ({ subjects: [{ kind: 'User', user: { name } }] });
    assert.deepEqual(rulesOf(user('b'), { rules: [rule('a'), rule('b')] }), [rule('b')]);
    assert.deepEqual(rulesOf(user('b'), {}), []);
  });
});

describe('matches', () => {
  const rule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/status'], namespaces: ['n'] };
  const resource: readonly (readonly [
    Partial<typeof rule & { clusterScope: boolean }>,
    Partial<RequestFacts>,
    boolean,
  ])[] = [
    [{}, {}, true],
    [{}, { verb: 'watch' }, false],
    [{ verbs: ['*'] }, { verb: 'watch' }, true],
    [{}, { group: 'apps' }, false],
    [{ apiGroups: ['*'] }, { group: 'apps' }, true],
    [{}, { resource: 'secrets' }, false],
    [{ resources: ['*'] }, { resource: 'secrets', subresource: 'x' }, true],
    [{}, { subresource: 'status' }, true],
    [{}, { subresource: 'log' }, false],
    [{}, { namespace: 'm' }, false],
    [{ namespaces: ['*'] }, { namespace: 'm' }, true],
    [{ namespaces: ['*'] }, { namespace: '' }, false],
    [{ namespaces: ['*'], clusterScope: true }, { namespace: '' }, true],
    [{ namespaces: [], clusterScope: true }, { namespace: 'm' }, false],
  ];
  for (const [changes, request, wanted] of resource) {
    it(`${JSON.stringify(changes)} ${wanted ? 'matches' : 'does not match'} ${JSON.stringify(request)}`, () => {
      const rules = [{ subjects: anyone, resourceRules: [{ ...rule, ...changes }], nonResourceRules: everyPath }];
      assert.equal(matches(rules, { ...pods, ...request }), wanted);
    });
  }

  const paths: readonly (readonly [url: string, path: string, wanted: boolean])[] = [
    ['*', '/a', true],
    ['/a', '/a', true],
    ['/a', '/ab', false],
    ['/a', '/a/b', true],
    ['/a/*', '/a/b', true],
    ['/a/*', '/a', false],
    ['/a/', '/a/b/c', true],
    ['/', '/a', true],
  ];
  for (const [url, path, wanted] of paths) {
    it(`${url} ${wanted ? 'matches' : 'does not match'} ${path}`, () => {
      const rules = [{ subjects: anyone, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [url] }] }];
      assert.equal(matches(rules, page(path)), wanted);
      assert.equal(matches(rules, { ...page(path), verb: 'post' }), false);
      assert.equal(matches(rules, pods), false);
    });
  }
});
