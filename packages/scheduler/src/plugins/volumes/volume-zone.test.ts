import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answersOf,
  claimObject,
  classObject,
  nodeState,
  podFacts,
  volumeObject,
  withClaim,
} from '../../testing/index.js';
import type { ClusterEvent } from '../../framework/index.js';
import { volumeZone } from '../index.js';

const ZONE = 'topology.kubernetes.io/zone';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const nodes = [
  nodeState('z1', { labels: { [ZONE]: 'z1' } }),
  nodeState('z2', { labels: { [ZONE]: 'z2' } }),
  nodeState('none'),
];
const pod = podFacts('p', { spec: withClaim('c') });
const bound = claimObject('c', { volumeName: 'v' });
const HERE = 'fits';
const AWAY = 'UnschedulableAndUnresolvable: node(s) had no available volume zone';

describe('VolumeZone', () => {
  for (const [what, labels, expected] of [
    ['no zone', {}, [HERE, HERE, HERE]],
    ['a zone', { [ZONE]: 'z1' }, [HERE, AWAY, HERE]],
    ['several zones', { [ZONE]: 'z1__z2' }, [HERE, HERE, HERE]],
    ['a zone by its old name', { [BETA_ZONE]: 'z2' }, [AWAY, HERE, HERE]],
    ['a zone that is wrong', { [ZONE]: 'z1__' }, [HERE, HERE, HERE]],
    ['a region that no node names', { 'topology.kubernetes.io/region': 'r' }, [AWAY, AWAY, HERE]],
  ] as const) {
    it(`obeys a volume with ${what}`, () => {
      const storage = { claims: [bound], volumes: [volumeObject('v', {}, labels)] };
      assert.deepEqual(Object.values(answersOf(volumeZone, pod, nodes, { storage })), expected);
    });
  }

  const open = claimObject('c');
  for (const [claims, classes, reason] of [
    [[], [], 'persistentvolumeclaim "c" not found'],
    [[bound], [], 'persistentvolume "v" not found'],
    [[claimObject('c', { storageClassName: '' })], [], 'PersistentVolumeClaim had no pv name and storageClass name'],
    [[open], [], 'storageclass.storage.k8s.io "slow" not found'],
    [[open], [classObject('slow', { volumeBindingMode: 'Immediate' })], 'PersistentVolume had no name'],
    [[open], [classObject('slow')], undefined],
  ] as const) {
    it(`answers ${reason ?? 'nothing for a claim that waits for a node'}`, () => {
      const expected = reason === undefined ? HERE : `UnschedulableAndUnresolvable: ${reason}`;
      assert.equal(answersOf(volumeZone, pod, nodes, { storage: { claims, classes } })['z1'], expected);
    });
  }

  const volume = (zone: string, release = '1') => volumeObject('v', {}, { [ZONE]: zone, release });
  for (const [what, event, expected] of [
    ['a new volume', { resource: 'PersistentVolume', action: 'Add', after: volume('z1') }, true],
    [
      'another zone of a volume',
      { resource: 'PersistentVolume', action: 'Update', before: volume('z1'), after: volume('z2') },
      true,
    ],
    [
      'another label of a volume',
      { resource: 'PersistentVolume', action: 'Update', before: volume('z1'), after: volume('z1', '2') },
      false,
    ],
    ['a class that waits for a node', { resource: 'StorageClass', action: 'Add', after: classObject('slow') }, true],
    [
      'a class that binds at once',
      { resource: 'StorageClass', action: 'Add', after: classObject('slow', { volumeBindingMode: 'Immediate' }) },
      false,
    ],
  ] satisfies readonly [string, ClusterEvent, boolean][]) {
    it(`${expected ? 'tries a pod again after' : 'does not try a pod again after'} ${what}`, () => {
      const interest = volumeZone.interests?.find(({ resource }) => resource === event.resource);
      assert.equal(interest?.isWorthTrying?.(pod, event), expected);
    });
  }
});
