import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Indexer } from '@binnacle/client/cache';
import type { TypedObject } from '@binnacle/client/typed';
import { claimable, controlledBy, controllerIndexes, orphansIn, siblingsOf } from './controller-index.js';

const fleet: TypedObject = {
  apiVersion: 'v1',
  kind: 'Fleet',
  metadata: { namespace: 'harbor', name: 'fleet', uid: 'mine' },
};

function boat(name: string, namespace: string, owner?: { kind?: string; name?: string; uid?: string }): TypedObject {
  const reference = { apiVersion: 'v1', kind: 'Fleet', name: 'fleet', uid: 'mine', controller: true };
  const ownerReferences = owner === undefined ? [] : [{ ...reference, ...owner }];
  return { apiVersion: 'v1', kind: 'Boat', metadata: { name, namespace, uid: name, ownerReferences } };
}

const boats = [
  boat('own', 'harbor', {}),
  boat('own-too', 'harbor', {}),
  boat('foreign', 'offshore', {}),
  boat('other-uid', 'harbor', { uid: 'other' }),
  boat('other-name', 'harbor', { name: 'navy' }),
  boat('other-kind', 'harbor', { kind: 'Navy' }),
  boat('orphan', 'harbor'),
  boat('foreign-orphan', 'offshore'),
];

const indexer = new Indexer<TypedObject>(controllerIndexes);
for (const each of boats) indexer.set(each);

const namesOf = (objects: readonly TypedObject[]) => objects.map(({ metadata }) => metadata.name);

describe('the index of controllers', () => {
  it('finds what an owner controls in its namespace, by kind, name and uid', () => {
    assert.deepEqual(namesOf(controlledBy(indexer, fleet)), ['own', 'own-too']);
  });

  it('finds orphans of one namespace', () => {
    assert.deepEqual(namesOf(orphansIn(indexer, 'harbor')), ['orphan']);
    assert.deepEqual(namesOf(claimable(indexer, fleet)), ['own', 'own-too', 'orphan']);
  });

  it('finds siblings in the namespace of an object', () => {
    const siblings = boats.map((each) => namesOf(siblingsOf(indexer, each)).length);
    assert.deepEqual(siblings, [2, 2, 1, 1, 1, 1, 0, 0]);
  });
});
