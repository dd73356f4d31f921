import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasOtherController, hasRightOwners, hasStaleOwner, withRightOwners } from './claim-owners.js';
import { claim, pod, statefulSet } from './statefulset.testing.js';

const owners = {
  set: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    name: 'db',
    uid: 'db-uid',
    controller: true,
    blockOwnerDeletion: true,
  },
  pod: { apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid: 'db-0-uid', controller: true, blockOwnerDeletion: true },
  weakSet: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'db-uid' },
  formerSet: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'former', controller: true },
  formerPod: { apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid: 'former', controller: true },
  other: { apiVersion: 'v1', kind: 'Widget', name: 'w', uid: 'w-uid', controller: true },
  friend: { apiVersion: 'v1', kind: 'Widget', name: 'w', uid: 'w-uid' },
} as const;
type Owner = keyof typeof owners;

/** The policy: `whenDeleted whenScaled`. The replicas: with 0, the pod is condemned. */
function setOf(policy: string, replicas: number) {
  const [whenDeleted = '', whenScaled = ''] = policy.split(' ');
  return statefulSet({ replicas, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
}

describe('the owners of a claim', () => {
  for (const [policy, replicas, before, after] of [
    ['Retain Retain', 1, [], []],
    ['Retain Retain', 1, ['set'], []],
    ['Retain Retain', 0, ['pod', 'friend'], ['friend']],
    ['Retain Retain', 1, ['other'], ['other']],
    ['Delete Retain', 1, [], ['set']],
    ['Delete Retain', 0, ['pod'], ['set']],
    ['Delete Retain', 1, ['weakSet'], ['set']],
    ['Delete Retain', 1, ['other'], ['other']],
    ['Delete Retain', 1, ['other', 'set'], ['other']],
    ['Retain Delete', 1, [], []],
    ['Retain Delete', 1, ['set'], []],
    ['Retain Delete', 0, [], ['pod']],
    ['Delete Delete', 1, [], ['set']],
    ['Delete Delete', 0, ['set'], ['pod']],
    ['Delete Delete', 1, ['friend', 'pod'], ['friend', 'set']],
    ['Delete Delete', 1, ['formerSet'], ['formerSet']],
    ['Delete Delete', 1, ['formerPod'], ['formerPod']],
  ] as const satisfies readonly (readonly [string, number, readonly Owner[], readonly Owner[]])[]) {
    it(`${policy}, ${replicas} replicas: [${before.join()}] become [${after.join()}]`, () => {
      const set = setOf(policy, replicas);
      const present = claim(
        'data-db-0',
        before.map((owner) => owners[owner]),
      );
      const isRight = before.join() === after.join();
      assert.equal(hasRightOwners(present, set, pod('0')), isRight);
      if (isRight) return;
      const corrected = withRightOwners(present, set, pod('0'));
      assert.deepEqual(
        corrected.metadata.ownerReferences,
        after.map((owner) => owners[owner]),
      );
      assert.ok(hasRightOwners(corrected, set, pod('0')));
    });
  }

  it('may conflict with a policy that deletes', () => {
    const present = claim('data-db-0', [owners.other]);
    assert.equal(hasOtherController(present, setOf('Delete Retain', 1), pod('0')), true);
    assert.equal(hasOtherController(present, setOf('Retain Retain', 1), pod('0')), false);
  });

  it('are stale if they name an earlier object', () => {
    assert.equal(hasStaleOwner(claim('data-db-0', [owners.formerPod]), pod('0')), true);
    assert.equal(hasStaleOwner(claim('data-db-0', [owners.pod]), pod('0')), false);
    assert.equal(hasStaleOwner(claim('data-db-0', [owners.formerPod]), pod('1')), false);
  });
});
