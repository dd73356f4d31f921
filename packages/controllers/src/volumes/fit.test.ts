import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { isBoundTo } from './index.js';

type Reference = NonNullable<NonNullable<PersistentVolume['spec']>['claimRef']>;

const volumeFor = (claimRef?: Reference): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'a' },
  spec: { ...(claimRef && { claimRef }) },
});
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name: 'c', uid: 'uid-c' },
};

describe('isBoundTo', () => {
  for (const [what, reference, expected] of [
    ['no reference', undefined, false],
    ['a reservation by name', { namespace: 'default', name: 'c' }, true],
    ['a reference with the uid', { namespace: 'default', name: 'c', uid: 'uid-c' }, true],
    ['a reference with another uid', { namespace: 'default', name: 'c', uid: 'other' }, false],
    ['another namespace', { namespace: 'other', name: 'c' }, false],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(isBoundTo(volumeFor(reference), claim), expected));
  }
});
