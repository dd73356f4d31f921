import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { withServer } from './server.testing.js';

/** Writes through the whole server: plugins, strategies and validation. */
const N = '/api/v1/namespaces/n';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/c';

const pod = (name: string, annotations: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

const objects: readonly KubernetesObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
  },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'n' } },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
  },
];

test('an AppArmor annotation becomes a field when a pod is created, and cannot bypass PodSecurity later', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const made = await send('POST', `${N}/pods`, pod('a', { [APP_ARMOR]: 'localhost/x' }));
    assert.equal(made.status, 201);
    assert.match(made.body, /"appArmorProfile":\{"type":"Localhost","localhostProfile":"x"\}/);
    assert.deepEqual(made.warnings, [
      `metadata.annotations[${APP_ARMOR}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
    assert.equal((await send('POST', `${N}/pods`, pod('b', { [APP_ARMOR]: 'unconfined' }))).status, 403);
    assert.equal((await send('POST', `${N}/pods`, pod('b'))).status, 201);
    const annotations = { [APP_ARMOR]: 'unconfined' };
    for (const [name, what] of [
      ['a', 'remove or update'],
      ['b', 'add'],
    ]) {
      for (const subresource of ['', '/status']) {
        const patched = await send('PATCH', `${N}/pods/${name}${subresource}`, { metadata: { annotations } });
        assert.equal(patched.status, 422);
        const why = `metadata.annotations[${APP_ARMOR}]: Forbidden: may not ${what} AppArmor annotations`;
        assert.equal(patched.message, `Pod "${name}" is invalid: ${why}`);
      }
    }
  }));

test('the system priority classes cannot be deleted', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    const refusal =
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted';
    for (const url of [`${CLASSES}/system-node-critical`, `${CLASSES}/system-node-critical?dryRun=All`, CLASSES]) {
      const deleted = await send('DELETE', url);
      assert.equal(deleted.status, 403);
      assert.equal(deleted.message, refusal);
    }
    const changed = await send('PATCH', `${CLASSES}/system-node-critical`, { value: 5 });
    assert.equal(changed.status, 422);
    assert.match(changed.message, /value: Forbidden: may not be changed in an update\./);
  }));
