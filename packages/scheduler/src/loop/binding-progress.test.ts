import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { claimObject, nodeObject, volumeObject } from '../testing/index.js';
import { isComplete } from './binding-progress.js';

const node = nodeObject('n');
const away: NonNullable<PersistentVolume['spec']> = {
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'Exists' }] }] } },
};
const at = <T extends PersistentVolume | PersistentVolumeClaim>(object: T, resourceVersion: string): T => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
});
const reserved = { claimRef: { namespace: 'default', name: 'c', uid: 'c' } };
const open = at(claimObject('c'), '1');
const bound = at(claimObject('c', { volumeName: 'v' }), '3');
const reservedVolume = at(volumeObject('v', reserved), '1');
const present = at(volumeObject('v', reserved), '2');

describe('the progress of a static binding', () => {
  for (const [what, volume, claim, expected] of [
    ['the volume is written and the claim is bound', present, bound, true],
    ['the claim is not bound yet', present, open, false],
    ['the cache is stale', at(volumeObject('v'), '1'), open, false],
    ['the reservation is gone', at(volumeObject('v'), '3'), open, /^ClaimRef got reset for pv "v"$/],
    ['the volume is gone', undefined, open, /^failed to check binding: persistentvolume "v" not found$/],
    ['the claim is gone', present, undefined, /^failed to check binding: persistentvolumeclaim "c" not found$/],
    [
      'the node lost its label',
      at(volumeObject('v', { ...reserved, ...away }), '2'),
      bound,
      /^pv "v" node affinity doesn't match node "n": no matching NodeSelectorTerms$/,
    ],
  ] as const) {
    it(`${what}: ${expected}`, () =>
      assertProgress({ bindings: [{ claim: open, volume: reservedVolume }], provisions: [] }, volume, claim, expected));
  }
});

describe('the progress of a provisioning', () => {
  const withNode = (claim: PersistentVolumeClaim, name: string): PersistentVolumeClaim => ({
    ...claim,
    metadata: {
      ...claim.metadata,
      annotations: { ...claim.metadata.annotations, 'volume.kubernetes.io/selected-node': name },
    },
  });
  for (const [what, volume, claim, expected] of [
    ['the volume is there', present, withNode(bound, 'n'), true],
    ['the volume is not in the cache yet', undefined, withNode(bound, 'n'), false],
    ['the cache is stale', undefined, open, false],
    ['the provisioner works', undefined, at(withNode(open, 'n'), '2'), false],
    ['the provisioner gave up', undefined, at(open, '3'), /^provisioning failed for PVC "c"$/],
    ['the volume is elsewhere', volumeObject('v', away), withNode(bound, 'n'), /^pv "v" node affinity doesn't match/],
  ] as const) {
    it(`${what}: ${expected}`, () =>
      assertProgress({ bindings: [], provisions: [withNode(open, 'n')] }, volume, claim, expected));
  }
});

function assertProgress(
  plan: Parameters<typeof isComplete>[0],
  volume: PersistentVolume | undefined,
  claim: PersistentVolumeClaim | undefined,
  expected: boolean | RegExp,
): void {
  const check = () => isComplete(plan, { volume: () => volume, claim: () => claim, node });
  if (typeof expected === 'boolean') assert.equal(check(), expected);
  else assert.throws(check, { message: expected });
}
