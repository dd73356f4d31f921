import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoredObject } from '../storage/index.js';
import { testResource } from '../testing/index.js';
import { ObjectEvent } from './event.js';
import { EventSequence } from './event-sequence.js';

const { codec } = testResource().storage;
const object = (name: string): StoredObject =>
  new StoredObject({ codec, key: name, revision: 1, value: Buffer.alloc(10), isCanonical: true });
const shown = (events: Iterable<ObjectEvent>): string[] =>
  Array.from(events, ({ type, object: { key } }) => `${type} ${key}`);

describe('a sequence of events', () => {
  const sequence = new EventSequence([object('a'), object('b')], [new ObjectEvent('DELETED', object('c'), false)]);
  const all = ['ADDED a', 'ADDED b', 'DELETED c'];

  it('has the initial state before the changes', () => {
    assert.deepEqual([sequence.length, shown(sequence)], [3, all]);
    const [one, two, three] = [sequence.at(0), sequence.at(1), sequence.at(2)];
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    assert.deepEqual([shown([one, two, three]), sequence.at(3)], [all, undefined]);
  });

  it('has a beginning of any length', () => {
    for (const count of [0, 1, 2, 3, 4]) assert.deepEqual(shown(sequence.first(count)), all.slice(0, count));
  });

  it('keeps no event of the initial state', () => {
    assert.notEqual(sequence.at(0), sequence.at(0));
    assert.equal(sequence.at(2), sequence.at(2));
  });
});
