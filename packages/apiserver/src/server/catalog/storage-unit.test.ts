import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { resourceFacts } from '@binnacle/api/table';
import { formatTime } from '@binnacle/apimachinery/time';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ResourceMetrics } from '../../metrics/index.js';
import { createStorageUnit } from './storage-unit.js';

const group = 'apiextensions.k8s.io';
const definitions = { group, version: 'v1', resource: 'customresourcedefinitions' };
const clock = new VirtualClock();

/** The canonical bytes of an object that another server has stored. */
async function canonical(stored: object, resource = definitions): Promise<string> {
  const facts = resourceFacts(resource);
  assert.ok(facts);
  await using kv = openMemoryKV();
  const metrics = new ResourceMetrics(new MetricRegistry(), clock);
  const unit = createStorageUnit(facts, {
    kv,
    storagePrefix: '/registry/',
    storageMediaType: 'application/json',
    metrics,
    selectableFields: () => ({}),
    clock,
    random: seededRandom(1),
  });
  try {
    return Buffer.from(unit.versions.canonicalize(Buffer.from(JSON.stringify(stored)))).toString();
  } finally {
    unit.cacher.stop();
  }
}

const metadata = { name: 'things.example.com' };

test('a definition is read in the version that upstream stores, and served in v1', async () => {
  const spec = {
    group: 'example.com',
    version: 'v1',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    validation: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    versions: [{ name: 'v1', served: true, storage: true }],
    conversion: { strategy: 'None' },
    preserveUnknownFields: false,
  };
  const status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] };
  const text = await canonical({
    kind: 'CustomResourceDefinition',
    apiVersion: `${group}/v1beta1`,
    metadata,
    spec,
    status,
  });
  assert.ok(text.startsWith('{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{'));
  assert.match(
    text,
    /"versions":\[\{"name":"v1","served":true,"storage":true,"schema":\{"openAPIV3Schema":\{"type":"object","x-kubernetes-preserve-unknown-fields":true\}\}\}\]/,
  );
});

test('a version that cannot be converted is refused', async () => {
  for (const apiVersion of [`${group}/v1alpha1`, 'extensions/v1beta1', 'a/b/c', '']) {
    const stored = { kind: 'CustomResourceDefinition', apiVersion, metadata };
    await assert.rejects(canonical(stored), /which this server cannot read$/);
  }
});

for (const storageVersion of ['autoscaling/v2', 'autoscaling/v1']) {
  test(`one fact decides that autoscalers are stored in ${storageVersion}, and objects in another version are still read`, async () => {
    const facts = resourceFacts({ group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' });
    assert.ok(facts);
    await using kv = openMemoryKV();
    const unit = createStorageUnit(
      { ...facts, storageVersion },
      {
        kv,
        storagePrefix: '/registry/',
        storageMediaType: 'application/json',
        metrics: new ResourceMetrics(new MetricRegistry(), clock),
        selectableFields: () => ({}),
        clock,
        random: seededRandom(1),
      },
    );
    const key = '/registry/horizontalpodautoscalers/default/a';
    const raw = async (): Promise<{ apiVersion: string; spec: object }> => {
      const [item] = (await kv.range({ prefix: key, exact: true })).items;
      assert.ok(item);
      return JSON.parse(Buffer.from(item.value).toString()) as { apiVersion: string; spec: object };
    };
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
    };
    const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
    const head = { kind: 'HorizontalPodAutoscaler', metadata: { name: 'a', namespace: 'default', uid: 'u' } };
    const common = { scaleTargetRef, minReplicas: 1, maxReplicas: 3 };
    const forms = [
      { ...head, apiVersion: 'autoscaling/v1', spec: { ...common, targetCPUUtilizationPercentage: 50 } },
      { ...head, apiVersion: 'autoscaling/v2', spec: { ...common, metrics: [cpu] } },
    ];
    const expected = forms.find(({ apiVersion }) => apiVersion === storageVersion);
    for (const form of forms) {
      const value = Buffer.from(JSON.stringify(form));
      const expectedRevision = (await unit.storage.get(key))?.revision ?? 0;
      await kv.txn({ key, expectedRevision, operation: { type: 'put', value } });
      // An update without changes rewrites only an object in another version: migration on write.
      await unit.storage.update(key, undefined, (current) => {
        assert.ok(current);
        return { type: 'write', object: current.decode() };
      });
      const stored = await raw();
      assert.equal(stored.apiVersion, storageVersion);
      assert.deepEqual(stored.spec, expected?.spec);
      const again = await unit.storage.update(key, undefined, (current) => {
        assert.ok(current);
        return { type: 'write', object: current.decode() };
      });
      assert.equal(again.changed, false, 'it is migrated once');
    }
    unit.cacher.stop();
  });
}

test('a default that is the current time is that of the clock', async () => {
  const slices = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' };
  const devices = [{ name: 'd', taints: [{ key: 'k', effect: 'NoSchedule' }] }];
  const apiVersion = 'resource.k8s.io/v1';
  const text = await canonical({ kind: 'ResourceSlice', apiVersion, metadata, spec: { devices } }, slices);
  assert.ok(text.includes(`"timeAdded":"${formatTime(clock.now())}"`), text);
});
