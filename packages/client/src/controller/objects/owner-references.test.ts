import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta, TypedObject } from '../../typed/index.js';
import {
  AlreadyOwnedError,
  controllerOf,
  isControlledBy,
  withControllerReference,
  withOwnerReference,
} from '../index.js';

const object = (kind: string, name: string, more: ObjectMeta = {}): TypedObject => ({
  apiVersion: 'ship.example/v1',
  kind,
  metadata: { name, namespace: 'sea', uid: `uid of ${name}`, ...more },
});

describe('owner references', () => {
  const mast = object('Mast', 'main');
  const sail = object('Sail', 'top');

  it('name the controller and block its foreground deletion', () => {
    const owned = withControllerReference(sail, mast);
    assert.deepEqual(owned.metadata.ownerReferences, [
      {
        apiVersion: 'ship.example/v1',
        kind: 'Mast',
        name: 'main',
        uid: 'uid of main',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    assert.equal(sail.metadata.ownerReferences, undefined);
    assert.equal(isControlledBy(owned, mast), true);
    assert.equal(isControlledBy(sail, mast), false);
    assert.equal(isControlledBy(sail, object('Mast', 'main', { uid: undefined } as unknown as ObjectMeta)), false);
    const free = withControllerReference(sail, mast, { blockOwnerDeletion: false });
    assert.equal(controllerOf(free)?.blockOwnerDeletion, false);
  });

  it('replace an earlier reference to the same owner', () => {
    const before = withControllerReference(withOwnerReference(sail, object('Crew', 'bosun')), mast);
    const again = { ...mast, apiVersion: 'ship.example/v2', metadata: { ...mast.metadata, uid: 'new' } };
    const after = withControllerReference(before, again);
    assert.deepEqual(
      after.metadata.ownerReferences?.map(({ kind, uid, apiVersion }) => [kind, uid, apiVersion]),
      [
        ['Crew', 'uid of bosun', 'ship.example/v1'],
        ['Mast', 'new', 'ship.example/v2'],
      ],
    );
    assert.equal(isControlledBy(before, again), false);
  });

  it('throw if another object is the controller', () => {
    const owned = withControllerReference(sail, mast);
    assert.throws(
      () => withControllerReference(owned, object('Mast', 'fore')),
      (error) =>
        error instanceof AlreadyOwnedError &&
        error.owner.name === 'main' &&
        error.message === 'Sail sea/top is already controlled by another object: Mast main',
    );
    assert.equal(withOwnerReference(owned, object('Mast', 'fore')).metadata.ownerReferences?.length, 2);
  });

  it('throw for owners in another namespace and for those without a uid', () => {
    const foreign = object('Mast', 'main', { namespace: 'lake' });
    assert.throws(
      () => withControllerReference(sail, foreign),
      /Mast lake\/main can own only objects of its namespace/,
    );
    const { namespace: _, ...metadata } = sail.metadata;
    assert.throws(() => withOwnerReference({ ...sail, metadata }, mast), /can own only objects of its namespace/);
    const harbour = { ...object('Harbour', 'bay'), metadata: { name: 'bay', uid: 'u' } };
    assert.equal(controllerOf(withControllerReference(sail, harbour))?.name, 'bay');
    const { uid: __, ...unread } = mast.metadata;
    assert.throws(() => withControllerReference(sail, { ...mast, metadata: unread }), /has no uid/);
  });
});
