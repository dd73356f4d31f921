import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unboundVolume } from './binding.js';
import { migratedVolume } from './migration.js';
import { claim, referringTo, volume } from './persistentvolume.testing.js';
import { planReclaim, planVolume } from './plan-volume.js';
import { HOST_PATH } from './plugins.js';
import { BOUND_BY_CONTROLLER, MIGRATED_TO, PROVISIONED_BY } from '../volumes/index.js';

const bound = { spec: referringTo('c', 'uid-c') };

describe('planVolume', () => {
  const other = claim('c', { spec: { volumeName: 'b' } });
  const made = { annotations: { [PROVISIONED_BY]: 'csi.example.com' } };
  for (const [what, given, ofClaim, expected] of [
    ['free', volume('a'), undefined, 'setPhase Available'],
    ['reserved by name', volume('a', { spec: referringTo('c') }), claim('c'), 'setPhase Available'],
    ['bound', volume('a', bound), claim('c', { spec: { volumeName: 'a' } }), 'setPhase Bound'],
    ['its claim is gone', volume('a', bound), undefined, 'release'],
    ['its claim is not bound yet', volume('a', bound), claim('c'), 'askClaim'],
    ['its claim cannot have it', volume('a', { spec: { ...bound.spec, volumeMode: 'Block' } }), claim('c'), 'warn'],
    ['its claim has no spec', volume('a', bound), withoutSpec(claim('c')), 'askClaim'],
    ['its claim has another', volume('a', bound), other, 'unbind'],
    [
      'its claim has another, and it was made for it',
      volume('a', { metadata: made, spec: { ...bound.spec, persistentVolumeReclaimPolicy: 'Delete' } }),
      other,
      'release',
    ],
    ['its claim has another, and it is retained', volume('a', { metadata: made, ...bound }), other, 'unbind'],
  ] as const) {
    it(`${what}: ${expected}`, () => {
      const plan = planVolume(given, ofClaim);
      assert.equal(plan.step === 'setPhase' ? `setPhase ${plan.phase}` : plan.step, expected);
    });
  }
});

describe('a reservation that cannot hold', () => {
  it('gives an event on both objects', () => {
    const given = volume('a', { spec: { ...bound.spec, volumeMode: 'Block' } });
    const event = (message: string) => ({ type: 'Warning', reason: 'VolumeMismatch', message });
    assert.deepEqual(planVolume(given, claim('c')), {
      step: 'warn',
      ofVolume: event(
        'Cannot bind PersistentVolume to requested PersistentVolumeClaim "c" due to incompatible volumeMode.',
      ),
      ofClaim: event(
        'Cannot bind PersistentVolume "a" to requested PersistentVolumeClaim due to incompatible volumeMode.',
      ),
    });
  });
});

describe('planReclaim', () => {
  const by = (provisioner: string) => ({ annotations: { [PROVISIONED_BY]: provisioner } });
  const Delete = { persistentVolumeReclaimPolicy: 'Delete' } as const;
  const directory = (path: string) => ({ ...Delete, nfs: undefined, hostPath: { path } });
  const unmatched = 'error getting deleter volume plugin for volume "a": no deletable volume plugin matched';
  for (const [what, metadata, spec, expected] of [
    ['retain', {}, {}, 'leave'],
    ['a driver', {}, { ...Delete, csi: { driver: 'csi.example.com', volumeHandle: 'h' } }, 'leave'],
    ['an external provisioner', by('example.com/nfs'), Delete, 'leave'],
    ['a migrated plugin', { annotations: { [MIGRATED_TO]: 'ebs.csi.aws.com' } }, Delete, 'leave'],
    ['an NFS share', {}, Delete, unmatched],
    ['a plugin that deletes nothing', by('kubernetes.io/nfs'), Delete, 'no deletable volume plugin matched'],
    ['an unknown plugin', by('kubernetes.io/foo'), Delete, 'no volume plugin matched name: kubernetes.io/foo'],
    ['a directory', by(HOST_PATH), directory('/tmp/hostpath_pv/x'), 'delete'],
    ['a directory that no one provisioned', {}, directory('/tmp/x'), 'delete'],
    [
      'a directory of the system',
      by(HOST_PATH),
      directory('/etc'),
      'host_path deleter only supports /tmp/.+ but received provided /etc',
    ],
    [
      'a disk that no plugin serves',
      {},
      { ...Delete, nfs: undefined, local: { path: '/x' } },
      'error getting deleter volume plugin for volume "a": no volume plugin matched',
    ],
    [
      'a share that its provisioner called a directory',
      by(HOST_PATH),
      Delete,
      'failed to create deleter for volume "a": spec.PersistentVolumeSource.HostPath is nil',
    ],
    ['recycle an NFS share', {}, { persistentVolumeReclaimPolicy: 'Recycle' }, 'leave'],
    [
      'recycle a disk',
      {},
      { persistentVolumeReclaimPolicy: 'Recycle', nfs: undefined, local: { path: '/x' } },
      'No recycler plugin found for the volume!',
    ],
  ] as const) {
    it(`${what}: ${expected}`, () => {
      const { spec: given = {}, ...others } = volume('a', { metadata });
      const { nfs, ...rest } = given;
      const plan = planReclaim({
        ...others,
        spec: {
          ...rest,
          ...('nfs' in spec ? {} : { nfs: nfs ?? { server: 's', path: '/' } }),
          ...withoutUndefined(spec),
        },
      });
      assert.equal(plan.step === 'fail' ? plan.message : plan.step, expected);
    });
  }
});

describe('a volume without a spec', () => {
  it('is retained', () => assert.deepEqual(planReclaim(withoutSpec(volume('a'))), { step: 'leave' }));
});

function withoutSpec<T extends { readonly spec?: object }>({ spec: _, ...others }: T): Omit<T, 'spec'> {
  return others;
}

/** An exact optional field cannot be undefined. */
function withoutUndefined(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}

describe('unboundVolume', () => {
  it('leaves the reservation of a user', () => {
    assert.deepEqual(unboundVolume(volume('a', bound)).spec?.claimRef, { namespace: 'default', name: 'c' });
  });

  it('takes back a binding of its own', () => {
    const given = volume('a', { metadata: { annotations: { [BOUND_BY_CONTROLLER]: 'yes' } }, ...bound });
    const { metadata, spec } = unboundVolume(given);
    assert.deepEqual([metadata, spec?.claimRef], [{ name: 'a' }, undefined]);
  });
});

describe('migratedVolume', () => {
  const finalizersOf = (provisioner: string, policy: 'Delete' | 'Retain', finalizers: string[]) =>
    migratedVolume(
      volume('a', {
        metadata: { finalizers, annotations: { [PROVISIONED_BY]: provisioner } },
        spec: { persistentVolumeReclaimPolicy: policy },
      }),
    ).metadata.finalizers;
  const inTree = 'kubernetes.io/pv-controller';
  const external = 'external-provisioner.volume.kubernetes.io/finalizer';
  for (const [provisioner, policy, before, after] of [
    ['csi.example.com', 'Delete', [external], [external]],
    [HOST_PATH, 'Delete', [], [inTree]],
    [HOST_PATH, 'Retain', ['a', inTree], ['a']],
    [HOST_PATH, 'Delete', [external], [inTree]],
    ['kubernetes.io/aws-ebs', 'Delete', [inTree], []],
  ] as const) {
    it(`${provisioner}, ${policy}: ${before.join()} becomes ${after.join()}`, () =>
      assert.deepEqual(finalizersOf(provisioner, policy, [...before]), after));
  }

  it('names the driver of a migrated plugin, and returns an unchanged volume as it is', () => {
    const given = volume('a', { metadata: { annotations: { [PROVISIONED_BY]: 'kubernetes.io/aws-ebs' } } });
    const migrated = migratedVolume(given);
    assert.equal(migrated.metadata.annotations?.[MIGRATED_TO], 'ebs.csi.aws.com');
    assert.equal(migratedVolume(migrated), migrated);
  });
});
