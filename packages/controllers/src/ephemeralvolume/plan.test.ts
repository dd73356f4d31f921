import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { planClaims } from './plan.js';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const template = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec };
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'db', uid: 'pod', controller: true, blockOwnerDeletion: true };

const pod = (volumes: readonly string[], metadata: Pod['metadata'] = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'db', uid: 'pod', ...metadata },
  spec: {
    containers: [],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      ...volumes.map((name) => ({ name, ephemeral: { volumeClaimTemplate: template } })),
    ],
  },
});

const claim = (name: string, uid: string): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name, ownerReferences: [{ ...owner, uid }] },
});

const shortPlan = (given: Pod, present: readonly PersistentVolumeClaim[]) =>
  planClaims(given, (name) => present.find((each) => each.metadata.name === name)).map((plan) =>
    'create' in plan ? plan.create.metadata.name : plan.conflict,
  );

describe('planClaims', () => {
  const conflict = 'PVC default/db-a was not created for pod default/db (pod is not owner)';
  for (const [what, given, present, expected] of [
    ['a pod without ephemeral volumes', pod([]), [], []],
    ['a pod without its claims', pod(['a', 'b']), [], ['db-a', 'db-b']],
    ['a pod with one of two', pod(['a', 'b']), [claim('db-a', 'pod')], ['db-b']],
    ['a claim of another pod', pod(['b', 'a', 'c']), [claim('db-a', 'other')], ['db-b', conflict]],
    ['a pod that is being deleted', pod(['a'], { deletionTimestamp: '2027-01-01T00:00:00Z' }), [], []],
  ] as const) {
    it(`${what}: ${expected.join(', ') || 'nothing'}`, () => assert.deepEqual(shortPlan(given, present), expected));
  }

  it('takes labels, annotations and spec from the template', () => {
    const [plan] = planClaims(pod(['a']), () => undefined);
    assert.deepEqual(plan, {
      volume: 'a',
      create: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: 'db-a',
          namespace: 'default',
          labels: { a: 'b' },
          annotations: { c: 'd' },
          ownerReferences: [owner],
        },
        spec,
      },
    });
  });
});
