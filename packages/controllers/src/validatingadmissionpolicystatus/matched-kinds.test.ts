import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResource, ApiSurface } from '@binnacle/client/discovery';
import { matchedKinds } from './matched-kinds.js';

function resource(group: string, name: string, kind: string): ApiResource {
  return {
    resource: { group, version: 'v1', resource: name },
    kind: { group, version: 'v1', kind },
    namespaced: true,
    verbs: [],
    singularName: '',
    shortNames: [],
    categories: [],
    subresources: [],
  };
}

const many = Array.from({ length: 12 }, (_, index) => resource('many', `r${index}`, `K${index}`));
const surface: ApiSurface = {
  groups: [
    { name: '', versions: [{ version: 'v1', resources: [resource('', 'pods', 'Pod')] }] },
    {
      name: 'apps',
      versions: [{ version: 'v1', resources: [resource('apps', 'deployments', 'Deployment')] }],
    },
    { name: 'many', versions: [{ version: 'v1', resources: many }] },
  ],
  failures: [],
};

const rule = (apiGroups: string[], resources: string[], apiVersions = ['v1']) => ({
  apiGroups,
  apiVersions,
  resources,
  operations: ['*'],
});

function matched(...resourceRules: ReturnType<typeof rule>[]) {
  const { kinds, isIncomplete } = matchedKinds({ resourceRules }, surface);
  return [kinds.map(({ kind }) => kind).join(' '), isIncomplete];
}

describe('the kinds that rules name', () => {
  it('are sorted and counted once', () => {
    assert.deepEqual(matched(rule(['apps'], ['deployments']), rule(['', 'apps'], ['pods', 'deployments'])), [
      'Pod Deployment',
      true,
    ]);
  });

  it('are none for wildcards and subresources', () => {
    assert.deepEqual(matched(rule(['*'], ['pods'])), ['', false]);
    assert.deepEqual(matched(rule([''], ['pods'], ['*'])), ['', false]);
    assert.deepEqual(matched(rule([''], ['*', 'pods/status'])), ['', false]);
  });

  it('are at most ten for a rule', () => {
    const [kinds] = matched(
      rule(
        ['many'],
        many.map((each) => each.resource.resource),
      ),
      rule([''], ['pods']),
    );
    assert.equal(String(kinds).split(' ').length, 10);
  });

  it('are incomplete without a resource that discovery does not know', () => {
    assert.deepEqual(matched(rule(['none'], ['things'])), ['', true]);
  });
});
