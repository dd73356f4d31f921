import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { formatGroupVersion, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { deprecationWarning } from './deprecation.js';
import { definitionOfKind } from './kinds.js';
import { subresourceKind } from './resource-facts.js';
import { groups, resourceFacts, resourceOfKind, resources, versionFacts } from './resources.js';

test('the table has every resource of the release', () => {
  const count = (stability: string): number => resources().filter((each) => each.stability === stability).length;
  assert.equal(resources().length, 95);
  assert.deepEqual({ ga: count('ga'), beta: count('beta'), alpha: count('alpha') }, { ga: 68, beta: 18, alpha: 9 });
  assert.equal(groups().length, 23);
  assert.deepEqual(
    groups()
      .slice(0, 4)
      .map((each) => each.group),
    ['', 'apiregistration.k8s.io', 'apps', 'events.k8s.io'],
  );
});

test('resources are found by name and by kind', () => {
  const pods = resourceFacts({ group: '', version: 'v1', resource: 'pods' });
  assert.ok(pods);
  assert.equal(pods.kind, 'Pod');
  assert.equal(resourceOfKind({ group: '', version: 'v1', kind: 'Pod' }), pods);
  assert.equal(resourceFacts({ group: '', version: 'v1', resource: '__proto__' }), undefined);
  assert.equal(resourceOfKind({ group: 'apps', version: 'v1', kind: 'DeploymentList' }), undefined);
  assert.equal(versionFacts({ group: 'apps', version: 'v1' })?.stability, 'ga');
});

test('a subresource may use a kind of another group', () => {
  const pods = resourceFacts({ group: '', version: 'v1', resource: 'pods' });
  assert.ok(pods);
  const eviction = pods.subresources?.find(({ name }) => name === 'eviction');
  assert.ok(eviction);
  assert.deepEqual(subresourceKind(pods, eviction), { group: 'policy', version: 'v1', kind: 'Eviction' });
  for (const resource of resources()) {
    for (const each of resource.subresources ?? []) {
      assert.ok(definitionOfKind(subresourceKind(resource, each)), `${resource.resource}/${each.name}`);
    }
  }
});

test('the storage version hash is computed from group, version and kind', () => {
  let stored = 0;
  for (const facts of resources()) {
    if (facts.storageVersion === undefined) continue;
    const storage = parseGroupVersion(facts.storageVersion);
    assert.ok(storage);
    const text = `${storage.group}/${storage.version}/${facts.kind}`;
    const hash = createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
    assert.equal(facts.storageVersionHash, hash, `${formatGroupVersion(facts)} ${facts.resource}`);
    assert.ok(facts.etcdPrefix);
    stored++;
  }
  assert.equal(stored, 87);
});

test('protocol kinds exist in every group version', () => {
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  assert.equal(definitionOfKind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' }), `${meta}.DeleteOptions`);
  assert.equal(definitionOfKind({ group: '', version: 'v1', kind: 'Status' }), `${meta}.Status`);
  assert.equal(definitionOfKind({ group: 'meta.k8s.io', version: 'v1', kind: 'Table' }), `${meta}.Table`);
  assert.equal(definitionOfKind({ group: 'nowhere', version: 'v1', kind: 'DeleteOptions' }), undefined);
  assert.equal(definitionOfKind({ group: '', version: 'v1', kind: 'PodSpec' }), undefined);
});

test('deprecated resources return a warning', () => {
  const warning = (group: string, version: string, resource: string, release = '1.36'): string | undefined => {
    const facts = resourceFacts({ group, version, resource });
    assert.ok(facts);
    return deprecationWarning(facts, release);
  };
  assert.equal(
    warning('', 'v1', 'endpoints'),
    'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  );
  assert.equal(warning('', 'v1', 'componentstatuses'), 'v1 ComponentStatus is deprecated in v1.19+');
  assert.equal(
    warning('storage.k8s.io', 'v1beta1', 'volumeattributesclasses'),
    'storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass',
  );
  assert.equal(warning('storage.k8s.io', 'v1beta1', 'volumeattributesclasses', '1.33'), undefined);
  assert.equal(warning('', 'v1', 'pods'), undefined);
});
