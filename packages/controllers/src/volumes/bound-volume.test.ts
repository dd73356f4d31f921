import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { BOUND_BY_CONTROLLER, boundVolume } from './index.js';

const volume: PersistentVolume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'a' }, spec: {} };
const volumeFor = (name: string, uid?: string, annotations?: Record<string, string>): PersistentVolume => ({
  ...volume,
  metadata: { name: 'a', ...(annotations && { annotations }) },
  spec: { claimRef: { namespace: 'default', name, ...(uid === undefined ? {} : { uid }) } },
});
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name: 'c', uid: 'uid-c' },
};
const reference = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  namespace: 'default',
  name: 'c',
  uid: 'uid-c',
  resourceVersion: '',
};

describe('boundVolume', () => {
  for (const [what, given, ofLoop] of [
    ['a free volume', volume, true],
    ['a volume that a user reserved', volumeFor('c'), false],
    ['a volume of an earlier claim', volumeFor('c', 'earlier', { [BOUND_BY_CONTROLLER]: 'yes' }), true],
    ['a volume without a spec', { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'a' } }, true],
  ] as const satisfies readonly (readonly [string, PersistentVolume, boolean])[]) {
    it(`${what} gets the reference; ${ofLoop ? 'the loop' : 'the user'} chose it`, () => {
      const { metadata, spec } = boundVolume(given, claim);
      assert.deepEqual(spec?.claimRef, reference);
      assert.equal(metadata.annotations?.[BOUND_BY_CONTROLLER], ofLoop ? 'yes' : undefined);
    });
  }

  it('is the same object if the volume is reserved already', () => {
    const given = volumeFor('c', 'uid-c');
    assert.equal(boundVolume(given, claim), given);
  });
});
