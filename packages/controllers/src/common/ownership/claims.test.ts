import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, TypedObject } from '@binnacle/client/typed';
import { type Claims, claimsOf } from './claims.js';

const owner = (metadata: ObjectMeta = {}): TypedObject => ({
  apiVersion: 'v1',
  kind: 'Fleet',
  metadata: { name: 'fleet', uid: 'mine', ...metadata },
});

const boat = (uid: string, red: boolean, metadata: ObjectMeta = {}): TypedObject => ({
  apiVersion: 'v1',
  kind: 'Boat',
  metadata: {
    labels: { red: String(red) },
    ...(uid === ''
      ? {}
      : { ownerReferences: [{ apiVersion: 'v1', kind: 'Fleet', name: 'fleet', uid, controller: true }] }),
    ...metadata,
  },
});

const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const nameOf = ({ owned, adopt, release }: Claims<TypedObject>) =>
  owned.length > 0 ? 'owned' : adopt.length > 0 ? 'adopt' : release.length > 0 ? 'release' : 'none';

const isRed = ({ metadata }: TypedObject) => metadata.labels?.['red'] === 'true';

describe('claims', () => {
  for (const [what, given, expected, ofDeletedOwner] of [
    ['an own object that matches', boat('mine', true), 'owned', 'owned'],
    ['an own object that no longer matches', boat('mine', false), 'release', 'none'],
    ['an orphan that matches', boat('', true), 'adopt', 'none'],
    ['an orphan that does not match', boat('', false), 'none', 'none'],
    ['a deleted orphan that matches', boat('', true, DELETED), 'none', 'none'],
    ['a deleted object of its own', boat('mine', true, DELETED), 'owned', 'owned'],
    ['an object of another owner', boat('other', true), 'none', 'none'],
    [
      'an object with an owner that does not control it',
      boat('', true, { ownerReferences: [{ apiVersion: 'v1', kind: 'Fleet', name: 'f', uid: 'other' }] }),
      'adopt',
      'none',
    ],
  ] as const) {
    const claim = (metadata?: ObjectMeta) => nameOf(claimsOf(owner(metadata), isRed, [given]));

    it(`${what}: ${expected}`, () => assert.equal(claim(), expected));
    it(`${what}, for a deleted owner: ${ofDeletedOwner}`, () => assert.equal(claim(DELETED), ofDeletedOwner));
  }
});
