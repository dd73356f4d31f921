import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Volume } from '@binnacle/client/kinds/core/v1';
import { finish } from '@binnacle/apimachinery/work';
import { inSteps, type PodFacts, skip, success } from '../../framework/index.js';
import { answersOf, attemptOf, claimObject, nodeState, podFacts, withClaim } from '../../testing/index.js';
import { volumeRestrictions } from '../index.js';

const using = (name: string, source: Omit<Volume, 'name'>): PodFacts =>
  podFacts(name, { spec: { volumes: [{ name: 'v', ...source }] } });
const gce = (pdName: string, readOnly = false) => ({ gcePersistentDisk: { pdName, readOnly } });
const aws = { awsElasticBlockStore: { volumeID: 'v', readOnly: true } };
const iscsi = (readOnly: boolean) => ({ iscsi: { iqn: 'i', targetPortal: 't', lun: 0, readOnly } });
const rbd = (image: string, monitors: readonly string[], readOnly = false) => ({ rbd: { image, monitors, readOnly } });
const NO_DISK = 'Unschedulable: node(s) had no available disk';

describe('VolumeRestrictions', () => {
  for (const [what, wanted, present, answer] of [
    ['another disk', gce('a'), gce('b'), 'fits'],
    ['one GCE disk', gce('a'), gce('a', true), NO_DISK],
    ['one GCE disk for readers', gce('a', true), gce('a', true), 'fits'],
    ['one AWS disk, also for readers', aws, aws, NO_DISK],
    ['one iSCSI target', iscsi(false), iscsi(true), NO_DISK],
    ['one iSCSI target for readers', iscsi(true), iscsi(true), 'fits'],
    ['one RBD image', rbd('i', ['m', 'n']), rbd('i', ['n']), NO_DISK],
    ['one RBD image for readers', rbd('i', ['m'], true), rbd('i', ['m'], true), 'fits'],
    ['RBD images of other monitors', rbd('i', ['m']), rbd('i', ['n']), 'fits'],
    ['other sources', { emptyDir: {} }, gce('a'), 'fits'],
  ] as const) {
    it(`${what}: ${answer}`, () => {
      const node = nodeState('n', { pods: [using('other', present)] });
      assert.deepEqual(answersOf(volumeRestrictions, using('p', wanted), [node]), { n: answer });
    });
  }

  const single = claimObject('c', { accessModes: ['ReadWriteOncePod'] });
  const pod = podFacts('p', { spec: withClaim('c') });
  const other = podFacts('other', { spec: withClaim('c') });
  const IN_USE =
    'Unschedulable: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
  for (const [what, claims, pods, answer] of [
    ['a missing claim', [], [], 'UnschedulableAndUnresolvable: persistentvolumeclaim "c" not found'],
    ['a shared claim', [claimObject('c')], [other], 'fits'],
    ['a claim of one pod that is free', [single], [], 'fits'],
    ['a claim of one pod that is in use', [single], [other], IN_USE],
  ] as const) {
    it(`${what}: ${answer}`, () => {
      const nodes = [nodeState('n', { pods })];
      assert.deepEqual(answersOf(volumeRestrictions, pod, nodes, { storage: { claims } }), { n: answer });
    });
  }

  it('lets a preemption end the other user of a claim', () => {
    const node = nodeState('n', { pods: [other] });
    const attempt = attemptOf(pod, [node], { storage: { claims: [single] } });
    finish(inSteps(volumeRestrictions.preFilter?.(attempt) ?? { status: success }));
    volumeRestrictions.removePod?.(attempt, other, node);
    const answer = () => finish(inSteps(volumeRestrictions.filter?.(attempt, node) ?? skip)).code;
    assert.equal(answer(), 'Success');
    volumeRestrictions.addPod?.(attempt, other, node);
    assert.equal(answer(), 'Unschedulable');
  });
});
