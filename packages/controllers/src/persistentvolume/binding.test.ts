import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume } from '@binnacle/client/kinds/core/v1';
import { boundClaim, claimInPhase, unboundVolume, volumeInPhase } from './binding.js';
import { claim, volume } from './persistentvolume.testing.js';
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, PRE_RESIZE_CAPACITY } from '../volumes/index.js';

const byLoop = { annotations: { [BOUND_BY_CONTROLLER]: 'yes' } };
const bare: PersistentVolume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'bare' } };
describe('boundClaim', () => {
  const named = { volumeName: 'a' };
  const done = { annotations: { [BIND_COMPLETED]: 'yes' } };
  for (const [what, given, expected] of [
    ['an open claim', claim('c'), { [BIND_COMPLETED]: 'yes', [BOUND_BY_CONTROLLER]: 'yes' }],
    ['a claim that names the volume', claim('c', { spec: named }), { [BIND_COMPLETED]: 'yes' }],
    ['a claim that lost its reference', claim('c', { metadata: done }), { ...done.annotations, ...byLoop.annotations }],
  ] as const) {
    it(`${what} names the volume, and says who chose it`, () => {
      const { metadata, spec } = boundClaim(given, volume('a'));
      assert.deepEqual([spec?.volumeName, metadata.annotations], ['a', expected]);
    });
  }

  it('is the same object if the claim is bound already', () => {
    const given = claim('c', { spec: named, metadata: done });
    assert.equal(boundClaim(given, volume('a')), given);
  });
});

describe('unboundVolume', () => {
  it('survives a volume without a spec', () => {
    const { spec } = unboundVolume({ ...bare, metadata: { name: 'bare', ...byLoop } });
    assert.deepEqual(spec, {});
  });
});

describe('volumeInPhase', () => {
  it('is the same object in the same phase', () => {
    const given = volume('a', { status: { phase: 'Available', message: 'm' } });
    assert.equal(volumeInPhase(given, 'Available', 'other'), given);
  });

  for (const [what, given, message, expected] of [
    ['the message of an earlier phase goes', volume('a', { status: { message: 'm' } }), undefined, { phase: 'Failed' }],
    ['a message is given', volume('a'), 'no', { phase: 'Failed', message: 'no' }],
    ['a volume has no status', bare, undefined, { phase: 'Failed' }],
  ] as const) {
    it(what, () => assert.deepEqual(volumeInPhase(given, 'Failed', message).status, expected));
  }
});

describe('claimInPhase', () => {
  const resized = (size: string) => ({ annotations: { [PRE_RESIZE_CAPACITY]: size } });
  const statusOf = (given: ReturnType<typeof claim>, of: PersistentVolume | undefined) =>
    claimInPhase(given, 'Bound', of).status;
  const bound = { phase: 'Bound', accessModes: ['ReadWriteOnce'] } as const;
  const conditions = [{ type: 'Resizing', status: 'True' }];
  const had = (storage: string) => claim('c', { status: { capacity: { storage } } });
  for (const [what, given, of, expected] of [
    ['the capacity of its volume', claim('c'), volume('a'), { ...bound, capacity: { storage: '1Gi' } }],
    ['an equal capacity as it was written', had('1024Mi'), volume('a'), { ...bound, capacity: { storage: '1024Mi' } }],
    ['another capacity than before', had('2Gi'), volume('a'), { ...bound, capacity: { storage: '1Gi' } }],
    [
      'the capacity before an expansion',
      claim('c'),
      volume('a', { metadata: resized('500Mi') }),
      { ...bound, capacity: { storage: '500Mi' } },
    ],
    [
      'the capacity of its volume if the earlier one is odd',
      claim('c'),
      volume('a', { metadata: resized('much') }),
      { ...bound, capacity: { storage: '1Gi' } },
    ],
    [
      'the capacity that it has, once it is bound',
      claim('c', { status: { phase: 'Bound', capacity: { storage: '3Gi' } } }),
      volume('a'),
      { ...bound, capacity: { storage: '3Gi' } },
    ],
    [
      'no capacity if it was bound without',
      claim('c', { status: { phase: 'Bound' } }),
      { ...bare, spec: {} },
      { phase: 'Bound' },
    ],
    [
      'the class of attributes when it is bound first',
      claim('c'),
      volume('a', { spec: { volumeAttributesClassName: 'gold' } }),
      { ...bound, capacity: { storage: '1Gi' }, currentVolumeAttributesClassName: 'gold' },
    ],
    [
      'the class of attributes that it has',
      claim('c', { status: { phase: 'Lost', currentVolumeAttributesClassName: 'slow' } }),
      volume('a', { spec: { volumeAttributesClassName: 'gold' } }),
      { ...bound, capacity: { storage: '1Gi' }, currentVolumeAttributesClassName: 'slow' },
    ],
    [
      'its conditions',
      claim('c', { status: { conditions } }),
      volume('a'),
      { conditions, ...bound, capacity: { storage: '1Gi' } },
    ],
  ] as const) {
    it(`a bound claim has ${what}`, () => assert.deepEqual(statusOf(given, of), expected));
  }

  it('has no capacity and no access modes without a volume', () => {
    const given = claim('c', { status: { ...bound, capacity: { storage: '1Gi' }, conditions } });
    assert.deepEqual(claimInPhase(given, 'Lost', undefined).status, { phase: 'Lost', conditions });
  });

  it('gives a claim without a status one', () => {
    const { status: _, ...given } = claim('c');
    assert.deepEqual(claimInPhase(given, 'Pending', undefined).status, { phase: 'Pending' });
  });

  it('is the same object if nothing changes', () => {
    const given = claim('c', { status: { ...bound, capacity: { storage: '1Gi' } } });
    assert.equal(claimInPhase(given, 'Bound', volume('a')), given);
    const waiting = claim('c');
    assert.equal(claimInPhase(waiting, 'Pending', undefined), waiting);
  });

  it('refuses a volume without a capacity', () => {
    for (const [given, name] of [
      [volume('a', { spec: { capacity: {} } }), 'a'],
      [bare, 'bare'],
    ] as const) {
      assert.throws(() => statusOf(claim('c'), given), {
        message: `PersistentVolume ${JSON.stringify(name)} is without a storage capacity`,
      });
    }
  });
});
