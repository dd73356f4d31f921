import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { isGrown, planExpansion, RESIZER } from './plan.js';

const claim = (request: string, capacity: string, annotations: Record<string, string> = {}): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', annotations },
  spec: { resources: { requests: { storage: request } } },
  status: { phase: 'Bound', capacity: { storage: capacity } },
});

const volume = (spec: PersistentVolume['spec'], annotations: Record<string, string> = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'a', annotations },
  ...(spec === undefined ? {} : { spec }),
});

describe('planExpansion', () => {
  const csi = volume({ csi: { driver: 'd', volumeHandle: 'h' } });
  const ebs = volume({ awsElasticBlockStore: { volumeID: 'v' } });
  const resized = volume({}, { 'volume.alpha.kubernetes.io/pre-resize-capacity': '1Gi' });
  const external = 'waiting for an external controller to expand this PVC';
  const migrated = 'CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc';
  for (const [what, given, of, message, resizer] of [
    ['enough', claim('1Gi', '1Gi'), csi, undefined, undefined],
    ['more than enough', claim('1Gi', '2Gi'), csi, undefined, undefined],
    ['too little', claim('2Gi', '1Gi'), csi, external, undefined],
    ['too little, of a migrated plugin', claim('2Gi', '1Gi'), ebs, migrated, 'ebs.csi.aws.com'],
    ['the same, and it is known', claim('2Gi', '1Gi', { [RESIZER]: 'ebs.csi.aws.com' }), ebs, migrated, undefined],
    ['a file system to resize', claim('1Gi', '1Gi'), resized, external, undefined],
  ] as const) {
    it(what, () => {
      const plan = planExpansion(given, of);
      assert.deepEqual([plan?.message, plan?.resizer], [message, resizer]);
    });
  }
});

describe('isGrown', () => {
  for (const [before, after, expected] of [
    [claim('1Gi', '1Gi'), claim('2Gi', '1Gi'), true],
    [claim('2Gi', '1Gi'), claim('2Gi', '2Gi'), true],
    [claim('2Gi', '1Gi'), claim('1Gi', '1Gi'), false],
    [claim('1Gi', '1Gi'), claim('1024Mi', '1Gi'), false],
  ] as const) {
    const text = ({ spec, status }: PersistentVolumeClaim) =>
      `${spec?.resources?.requests?.['storage'] ?? ''} of ${status?.capacity?.['storage'] ?? ''}`;
    it(`${text(before)} to ${text(after)}: ${expected}`, () => assert.equal(isGrown(before, after), expected));
  }
});
