import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { itemOf } from './item.js';
import { portable } from './portable.js';

const uids = new Map([
  ['old-1', 'new-1'],
  ['old-2', 'new-2'],
]);
const moved = (object: JsonObject) => portable(itemOf(object), ({ uid }) => uids.get(uid), uids);
const owner = (uid: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid });

describe('a portable object', () => {
  it('has none of the fields that a server sets, and its status apart', () => {
    const { object, status } = moved({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: 'n',
        uid: 'u',
        resourceVersion: '1',
        generation: 2,
        creationTimestamp: 't',
        managedFields: [],
        selfLink: '/',
        labels: { a: 'b' },
        finalizers: ['f'],
      },
      spec: { podCIDR: '10.0.0.0/24' },
      status: { phase: 'Running' },
    });
    assert.deepEqual(object, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', labels: { a: 'b' }, finalizers: ['f'] },
      spec: { podCIDR: '10.0.0.0/24' },
    });
    assert.deepEqual(status, { phase: 'Running' });
  });

  it('refers to owners by their new UIDs, and to none that is not there', () => {
    const of = (...ownerReferences: JsonObject[]) =>
      moved({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ownerReferences } });
    const some = of(owner('old-1'), owner('gone'), owner('old-2'));
    assert.deepEqual(some.object['metadata'], { name: 'c', ownerReferences: [owner('new-1'), owner('new-2')] });
    assert.equal(some.ownersLost, 1);
    assert.deepEqual(of(owner('gone')).object['metadata'], { name: 'c' });
  });

  it('lets the server choose addresses, but for a headless Service', () => {
    const service = (spec: JsonObject) =>
      moved({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec }).object['spec'];
    assert.deepEqual(service({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ports: [] }), { ports: [] });
    assert.deepEqual(service({ clusterIP: 'None', clusterIPs: ['None'] }), { clusterIP: 'None', clusterIPs: ['None'] });
  });

  it('binds a volume to its claim by name', () => {
    const claimRef = { namespace: 'a', name: 'c', uid: 'old', resourceVersion: '1' };
    const { object } = moved({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: { claimRef, capacity: {} },
    });
    assert.deepEqual(object['spec'], { claimRef: { namespace: 'a', name: 'c' }, capacity: {} });
  });

  it('selects the pods of a Job by its new UID', () => {
    const labels = { app: 'x', 'controller-uid': 'old-1', 'batch.kubernetes.io/controller-uid': 'old-1' };
    const job = (more: JsonObject): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', labels },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: {} }, ...more },
    });
    assert.deepEqual(moved(job({})).object, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', labels: { app: 'x' } },
      spec: { template: { metadata: { labels: { app: 'x' } }, spec: {} } },
    });
    assert.deepEqual(moved(job({ manualSelector: true })).object, job({ manualSelector: true }));
    const pod = moved({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels } });
    assert.deepEqual(pod.object['metadata'], {
      name: 'p',
      labels: { app: 'x', 'controller-uid': 'new-1', 'batch.kubernetes.io/controller-uid': 'new-1' },
    });
  });
});
