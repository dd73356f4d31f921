import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import {
  answersOf,
  claimObject,
  classObject,
  csiNodeObject,
  nodeState,
  podFacts,
  volumeObject,
  withClaim,
} from '../../testing/index.js';
import { nodeVolumeLimits } from '../index.js';

const DRIVER = 'csi.example.com';
const FULL = 'Unschedulable: node(s) exceed max volume count';
const names = ['a', 'b', 'c'] as const;
const claims = names.map((name) => claimObject(name, { volumeName: `v-${name}` }));
const volumes = names.map((name) => volumeObject(`v-${name}`, { csi: { driver: DRIVER, volumeHandle: name } }));
const storage = { claims, volumes, classes: [classObject('slow')] };
const attachment = (name: string): VolumeAttachment => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  metadata: { name },
  spec: { attacher: DRIVER, nodeName: 'n', source: { persistentVolumeName: `v-${name}` } },
});
const wants = (...claimNames: readonly string[]) => podFacts('p', { spec: withClaim(...claimNames) });
const has = (...claimNames: readonly string[]) => podFacts('other', { spec: withClaim(...claimNames) });

describe('NodeVolumeLimits', () => {
  for (const [what, pod, present, attachments, limits, answer] of [
    ['no limit', wants('a', 'b'), has('c'), [], {}, 'fits'],
    ['a limit of another driver', wants('a', 'b'), has('c'), [], { other: 1 }, 'fits'],
    ['room for one more', wants('a'), has('b'), [], { [DRIVER]: 2 }, 'fits'],
    ['no room', wants('a'), has('b', 'c'), [], { [DRIVER]: 2 }, FULL],
    ['no room for two', wants('a', 'b'), has('c'), [], { [DRIVER]: 2 }, FULL],
    ['a volume that is there already', wants('b'), has('b', 'c'), [], { [DRIVER]: 2 }, 'fits'],
    ['a volume that is still attached', wants('a'), has('b'), [attachment('c')], { [DRIVER]: 2 }, FULL],
    ['an attachment of a pod that is counted', wants('a'), has('b'), [attachment('b')], { [DRIVER]: 2 }, 'fits'],
    ['no volumes at all', podFacts('p'), has('a'), [], { [DRIVER]: 1 }, 'fits'],
  ] as const) {
    it(`${what}: ${answer}`, () => {
      const node = nodeState('n', { pods: [present] });
      const traits = { ...storage, attachments, csiNodes: [csiNodeObject('n', limits)] };
      assert.deepEqual(answersOf(nodeVolumeLimits, pod, [node], { storage: traits }), { n: answer });
    });
  }

  it('counts an open claim for the driver of its class', () => {
    const node = nodeState('n', { pods: [has('a')] });
    const traits = {
      ...storage,
      claims: [...claims, claimObject('open')],
      csiNodes: [csiNodeObject('n', { [DRIVER]: 1 })],
    };
    assert.deepEqual(answersOf(nodeVolumeLimits, wants('open'), [node], { storage: traits }), { n: FULL });
  });

  it('counts an in-tree disk on nodes where a driver attaches it', () => {
    const disk = (pdName: string) => ({ spec: { volumes: [{ name: 'v', gcePersistentDisk: { pdName } }] } });
    const pods = [podFacts('other', disk('one'))];
    const nodes = [nodeState('migrated', { pods }), nodeState('plain', { pods })];
    const limits = { 'pd.csi.storage.gke.io': 1 };
    const migrated = { 'storage.alpha.kubernetes.io/migrated-plugins': 'kubernetes.io/aws-ebs,kubernetes.io/gce-pd' };
    const csiNodes = [csiNodeObject('migrated', limits, migrated), csiNodeObject('plain', limits)];
    assert.deepEqual(answersOf(nodeVolumeLimits, podFacts('p', disk('two')), nodes, { storage: { csiNodes } }), {
      migrated: FULL,
      plain: 'fits',
    });
  });

  it('names a claim that is missing', () => {
    assert.deepEqual(answersOf(nodeVolumeLimits, wants('x'), [nodeState('n')]), {
      n: 'UnschedulableAndUnresolvable: looking up PVC default/x: persistentvolumeclaim "x" not found',
    });
  });
});
