import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../../bootstrap/index.js';
import { testResourceApi } from '../server.testing.js';
import type { AdmissionObjects } from './admission-objects.js';

/** Runs with the objects that admission reads from a store of these. */
async function withObjects(stored: readonly KubernetesObject[], run: (objects: AdmissionObjects) => Promise<void>) {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    await ensureObjects(stored, api.endpointOf);
    await run(api.sources.admission);
  } finally {
    api.stop();
  }
}

const priorityClass = (name: string, value: number, globalDefault: boolean): KubernetesObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  globalDefault,
});

describe('admissionObjects', () => {
  it('takes the lowest of several default priority classes', async () => {
    const classes = [
      priorityClass('high', 30, true),
      priorityClass('low', 10, true),
      priorityClass('middle', 20, true),
      priorityClass('lowest', 1, false),
    ];
    await withObjects(classes, async ({ priorities }) => {
      assert.equal((await priorities.defaultPriorityClass())?.metadata?.name, 'low');
      assert.equal((await priorities.priorityClass('high'))?.value, 30);
      assert.equal(await priorities.priorityClass('absent'), undefined);
    });
    await withObjects([], async ({ priorities }) => assert.equal(await priorities.defaultPriorityClass(), undefined));
  });

  it('knows no labels of a namespace that does not exist', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', labels: { tier: 'one' } } };
    await withObjects([namespace], async ({ podSecurity, namespaces }) => {
      assert.equal((await podSecurity.namespaceLabels('team'))['tier'], 'one');
      assert.deepEqual(await podSecurity.namespaceLabels('absent'), {});
      assert.equal((await namespaces.namespace('team'))?.metadata.name, 'team');
      assert.equal(await namespaces.namespace('absent'), undefined);
    });
  });
});
