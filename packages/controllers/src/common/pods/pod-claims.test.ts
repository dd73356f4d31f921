import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { claimNames, isClaimOfPod } from './pod-claims.js';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'db', uid: 'pod' },
  spec: {
    containers: [],
    volumes: [
      { name: 'v', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'cache', ephemeral: {} },
      { name: 'tmp', emptyDir: {} },
    ],
  },
};
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'db', uid: 'pod', controller: true };

const claim = (metadata: PersistentVolumeClaim['metadata']): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'db-cache', ...metadata },
});

describe('the claims of a pod', () => {
  it('are named by its volumes', () => assert.deepEqual(claimNames(pod), ['data', 'db-cache']));

  for (const [what, metadata, expected] of [
    ['a claim that the pod controls', { namespace: 'default', ownerReferences: [owner] }, true],
    ['a claim of another pod', { namespace: 'default', ownerReferences: [{ ...owner, uid: 'other' }] }, false],
    ['a claim without a controller', { namespace: 'default' }, false],
    ['a claim of another namespace', { namespace: 'other', ownerReferences: [owner] }, false],
  ] as const) {
    it(`${what} is its own: ${expected}`, () =>
      assert.equal(
        isClaimOfPod(
          claim({ ...metadata, ownerReferences: [...('ownerReferences' in metadata ? metadata.ownerReferences : [])] }),
          pod,
        ),
        expected,
      ));
  }
});
