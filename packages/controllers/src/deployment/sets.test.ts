import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import type { ObjectMeta } from '@binnacle/client/typed';
import { byAge, byRevision, hasTemplate, newSetOf, replicasOf } from './sets.js';
import { deployment, replicaSet } from './deployment.testing.js';

const NOON = '2026-01-01T12:00:00Z';
const LATER = '2026-01-01T12:00:01Z';

const set = (name: string, metadata: ObjectMeta = {}): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name, ...metadata },
});
const at = (name: string, creationTimestamp: string) => set(name, { creationTimestamp });
const revised = (name: string, revision: string) =>
  set(name, { annotations: { 'deployment.kubernetes.io/revision': revision } });
const names = (sets: readonly ReplicaSet[]) => sets.map(({ metadata }) => metadata.name).join(' ');

describe('sets of a Deployment', () => {
  for (const [what, sets, expected] of [
    ['by age', [at('a', LATER), at('b', NOON)], 'b a'],
    ['of one age, by name', [at('c', NOON), at('a', NOON), at('b', NOON)], 'a b c'],
    ['without a time, first', [at('a', NOON), set('b')], 'b a'],
  ] as const) {
    it(`are in order ${what}`, () => assert.equal(names(sets.toSorted(byAge)), expected));
  }

  for (const [what, sets, expected] of [
    ['as numbers', [revised('a', '10'), revised('b', '9')], 'b a'],
    ['beyond those of doubles', [revised('a', '3546343826724305833'), revised('b', '3546343826724305832')], 'b a'],
    ['by age if one is beyond 64 bits', [revised('b', '1'), revised('a', '9223372036854775808')], 'a b'],
    ['by age if they are the same', [revised('b', '1'), revised('a', '1')], 'a b'],
    ['by age if one is not a number', [revised('b', '1'), revised('a', 'last')], 'a b'],
    ['with 0 for none', [revised('a', '1'), set('b')], 'b a'],
  ] as const) {
    it(`are in order of revisions, ${what}`, () => assert.equal(names(sets.toSorted(byRevision)), expected));
  }

  it('have one pod by default', () => assert.equal(replicasOf(set('a')), 1));

  it('have the template of the Deployment if all but the hash is the same', () => {
    const [v1, v2] = ['v1', 'v2'].map((image, index) => replicaSet({ image, revision: index + 1, replicas: 1 }));
    assert.ok(v1 !== undefined && v2 !== undefined);
    assert.equal(newSetOf(deployment({ image: 'v2' }), [v1, v2]), v2);
    assert.equal(newSetOf(deployment({ image: 'v3' }), [v1, v2]), undefined);
    assert.equal(hasTemplate(v2, deployment({ image: 'v2' }).spec?.template), true);
  });

  it('may have empty labels or none', () => {
    const { apiVersion, kind, metadata } = set('a');
    const bare = { spec: { containers: [] } };
    const selector = {};
    const labelled = { ...bare, metadata: { labels: { 'pod-template-hash': 'x' } } };
    const spec = { selector, template: labelled };
    assert.equal(hasTemplate({ apiVersion, kind, metadata, spec }, bare), true);
    assert.equal(hasTemplate({ apiVersion, kind, metadata }, bare), false);
    assert.equal(hasTemplate({ apiVersion, kind, metadata }, undefined), true);
  });
});
