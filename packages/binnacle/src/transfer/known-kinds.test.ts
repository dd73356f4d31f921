import assert from 'node:assert/strict';
import { it } from 'node:test';
import { StoredForms } from '@binnacle/apiserver/storedforms';
import { systemClock } from '@binnacle/apimachinery/clock';
import { itemOf } from './item.js';
import { kindsAmong } from './known-kinds.js';

const definition = (group: string, plural: string, scope = 'Namespaced') =>
  itemOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'a' },
    spec: { group, scope, names: { plural, kind: 'Thing' } },
  });
const ofDeployments = itemOf({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a' },
  spec: { group: 'apps', scope: 'Cluster', names: { plural: 'others', kind: 'Deployment' } },
});
const find = (apiVersion: string, kind: string, ...definitions: readonly ReturnType<typeof definition>[]) => {
  const known = kindsAmong(
    definitions,
    new StoredForms(systemClock),
  )(itemOf({ apiVersion, kind, metadata: { name: 'a' } }));
  return known && [known.resource.resource, known.namespaced, known.builtIn !== undefined];
};

it('kinds are built in, or those of definitions among the items', () => {
  assert.deepEqual(find('v1', 'Node'), ['nodes', false, true]);
  assert.deepEqual(find('autoscaling/v1', 'HorizontalPodAutoscaler'), ['horizontalpodautoscalers', true, true]);
  assert.deepEqual(find('example.com/v1', 'Thing', definition('example.com', 'things')), ['things', true, false]);
  assert.deepEqual(find('example.com/v1', 'Thing', definition('example.com', 'things', 'Cluster')), [
    'things',
    false,
    false,
  ]);
  assert.deepEqual(find('apps/v1', 'Deployment', ofDeployments), ['deployments', true, true]);
  assert.equal(find('example.com/v1', 'Thing'), undefined);
  assert.equal(find('example.com/v1', 'Thing', definition('example.org', 'things')), undefined);
});

it('a definition whose plural or group is not part of a path defines no kind', () => {
  for (const plural of ['../../secrets', '..', 'a/b', 'a\\b', '']) {
    assert.equal(find('example.com/v1', 'Thing', definition('example.com', plural)), undefined, plural);
  }
  assert.equal(find('v1', 'Thing', definition('', 'secrets')), undefined);
});
