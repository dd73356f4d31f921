import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultIngressClass, defaultStorageClass } from './index.js';
import { admit, object, type Spec } from './request.testing.js';

describe('default classes', () => {
  const marked = (annotation: string, name: string, creationTimestamp: string) =>
    object('Class', {}, { name, creationTimestamp, annotations: { [annotation]: 'true' } });
  const storage = 'storageclass.kubernetes.io/is-default-class';
  const ingress = 'ingressclass.kubernetes.io/is-default-class';
  const source = {
    storageClasses: async () => [
      marked(storage, 'old', '2026-01-01T00:00:00Z'),
      marked(storage, 'new-b', '2026-01-02T00:00:00Z'),
      marked(storage, 'new-a', '2026-01-02T00:00:00Z'),
      object('Class', {}, { name: 'plain', creationTimestamp: '2026-01-03T00:00:00Z' }),
    ],
    ingressClasses: async () => [marked(ingress, 'front', '2026-01-01T00:00:00Z')],
  };
  const none = { storageClasses: async () => [], ingressClasses: async () => [] };
  const ingresses = { resource: { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' } };

  it('of claims is the newest default StorageClass', async () => {
    const claims = (spec: Spec, from = source) =>
      admit(defaultStorageClass(from), 'persistentvolumeclaims', object('PersistentVolumeClaim', spec));
    assert.deepEqual(await claims({}), { storageClassName: 'new-a' });
    assert.deepEqual(await claims({ storageClassName: '' }), { storageClassName: '' });
    assert.deepEqual(await claims({}, none), {});
  });

  it('of ingresses applies only to those without a class field or annotation', async () => {
    const plugin = defaultIngressClass(source);
    assert.deepEqual(await admit(plugin, '', object('Ingress'), ingresses), { ingressClassName: 'front' });
    const old = object('Ingress', {}, { name: 'a', annotations: { 'kubernetes.io/ingress.class': 'x' } });
    assert.deepEqual(await admit(plugin, '', old, ingresses), {});
    assert.deepEqual(await admit(defaultIngressClass(none), '', object('Ingress'), ingresses), {});
  });
});
