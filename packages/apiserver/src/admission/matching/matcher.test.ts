import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes } from '../plugin.js';
import { object, request, unversioned } from '../plugins/request.testing.js';
import { type MatchConstraints, RequestMatcher } from './matcher.js';

const group = 'autoscaling';
const kind = 'HorizontalPodAutoscaler';
const resource = 'horizontalpodautoscalers';
const versions = {
  ...unversioned,
  equivalents: () =>
    ['v1', 'v2'].map((version) => ({ resource: { group, version, resource }, kind: { group, version, kind } })),
};

/** A create of an autoscaler in v2, in a namespace labelled zone=a. */
function subject(overrides: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const given = object(kind, {}, { name: 'a', labels: { tier: 'web' } });
  return request(resource, given, {
    resource: { group, version: 'v2', resource },
    kind: { group, version: 'v2', kind },
    versions,
    ...overrides,
  });
}

const all = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
const v1 = { ...all, apiVersions: ['v1'] };

async function matched(constraints: Partial<MatchConstraints>, overrides?: Partial<AdmissionAttributes>) {
  const matcher = new RequestMatcher({ rules: [all], withoutRules: 'none', ...constraints });
  const found = await matcher.match(subject(overrides), (name) => (name === 'default' ? { zone: 'a' } : undefined));
  return found === undefined ? undefined : `${found.resource.version} ${found.kind.version}`;
}

const zone = (value: string) => ({ matchLabels: { zone: value } });
const tier = (value: string) => ({ matchLabels: { tier: value } });
const invalid = { matchExpressions: [{ key: 'a', operator: 'Near' }] };
const cases: Record<
  string,
  readonly [constraints: Partial<MatchConstraints>, overrides: Partial<AdmissionAttributes>, expected?: string]
> = {
  'the resource of the request': [{}, {}, 'v2 v2'],
  'no rule': [{ rules: [] }, {}],
  'everything without rules, if they say so': [{ rules: [], withoutRules: 'all' }, {}, 'v2 v2'],
  'an equivalent resource': [{ rules: [v1], matchPolicy: 'Equivalent' }, {}, 'v1 v1'],
  'no equivalent resource with Exact': [{ rules: [v1], matchPolicy: 'Exact' }, {}],
  'its own resource before equivalent ones': [{ rules: [v1, all], matchPolicy: 'Equivalent' }, {}, 'v2 v2'],
  'nothing that is excluded': [{ excludeRules: [{ ...all, operations: ['CREATE'] }] }, {}],
  'what is not excluded': [{ excludeRules: [{ ...all, operations: ['DELETE'] }] }, {}, 'v2 v2'],
  'nothing that is excluded in another version': [{ excludeRules: [v1], matchPolicy: 'Equivalent' }, {}],
  'named objects': [{ rules: [{ ...all, resourceNames: ['b', 'a'] }] }, {}, 'v2 v2'],
  'no other names': [{ rules: [{ ...all, resourceNames: ['b'] }] }, {}],
  'labels of the namespace': [{ namespaceSelector: zone('a') }, {}, 'v2 v2'],
  'no other labels of the namespace': [{ namespaceSelector: zone('b') }, {}],
  'cluster-scoped objects whatever the selector': [{ namespaceSelector: zone('b') }, { namespace: '' }, 'v2 v2'],
  'labels of the object': [{ objectSelector: tier('web') }, {}, 'v2 v2'],
  'labels of the old object': [
    { objectSelector: tier('old') },
    { oldObject: object(kind, {}, { labels: { tier: 'old' } }) },
    'v2 v2',
  ],
  'no other labels of the object': [{ objectSelector: tier('db') }, {}],
  'no labels of an object that is not there': [{ objectSelector: {} }, { object: undefined }, 'v2 v2'],
  'no options of a connect, which have no labels': [
    { objectSelector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } },
    { operation: 'CONNECT', object: object('PodExecOptions', {}) },
  ],
  'no request with an invalid selector that does not match otherwise': [
    { rules: [], namespaceSelector: invalid, objectSelector: invalid },
    {},
  ],
};

describe('RequestMatcher matches', () => {
  for (const [name, [constraints, overrides, expected]] of Object.entries(cases)) {
    it(name, async () => assert.equal(await matched(constraints, overrides), expected));
  }

  it('a Namespace by the labels that it gets', async () => {
    const namespace = object('Namespace', {}, { name: 'n', labels: { zone: 'c' } });
    const place = { resource: { group: '', version: 'v1', resource: 'namespaces' }, namespace: 'default' };
    assert.equal(await matched({ namespaceSelector: zone('c') }, { ...place, object: namespace }), 'v1 v2');
    assert.equal(await matched({ namespaceSelector: zone('a') }, { ...place, object: namespace }), undefined);
    const deleted = { ...place, object: undefined, oldObject: namespace, operation: 'DELETE' as const };
    assert.equal(await matched({ namespaceSelector: zone('a') }, deleted), 'v1 v2');
  });

  it('possibly a request that its rules select, whatever the labels are', () => {
    const labelled = { namespaceSelector: zone('b'), objectSelector: tier('db') };
    const may = (constraints: Partial<MatchConstraints>): boolean =>
      new RequestMatcher({ rules: [all], withoutRules: 'none', ...constraints }).mayMatch(subject({}));
    assert.equal(may(labelled), true);
    assert.equal(may({ ...labelled, rules: [{ ...all, operations: ['DELETE'] }] }), false);
    assert.equal(may({ ...labelled, excludeRules: [all] }), false);
  });

  it('nothing in a namespace that does not exist', async () => {
    await assert.rejects(matched({ namespaceSelector: zone('a') }, { namespace: 'gone' }), {
      code: 404,
      message: 'namespaces "gone" not found',
    });
  });

  it('nothing with an invalid selector', async () => {
    const error = { code: 500, message: 'Internal error occurred: "Near" is not a valid label selector operator' };
    await assert.rejects(matched({ namespaceSelector: invalid }), error);
    await assert.rejects(matched({ objectSelector: invalid }), error);
  });
});
