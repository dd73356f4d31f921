import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KeyEvent } from '@binnacle/kv';
import { configMap, type TestResource, testResource, withDamagedValue, withMethods } from '../testing/index.js';
import { CachedState } from './cached-state.js';
import { ChangeWindow } from './change-window.js';
import type { ObjectState } from './past-state.js';
import { readState } from './read-state.js';

const PREFIX = '/registry/configmaps/';
const keyOf = (name: string): string => `${PREFIX}default/${name}`;

async function stateOf({ storage }: TestResource, ...names: string[]) {
  for (const name of names) await storage.create(keyOf(name), configMap(name), undefined);
  const state = new CachedState(storage, new ChangeWindow({ ageMs: 1000, size: 10, bytes: 100_000 }));
  const read = await readState(storage, new AbortController().signal);
  assert.ok(read !== undefined);
  state.replace(read);
  return state;
}

/** An event that creates the object with this name, or deletes it. */
function eventOf({ storage }: TestResource, name: string, exists = true): KeyEvent {
  const event = { key: keyOf(name), createRevision: 1 };
  return exists
    ? { type: 'put', value: storage.codec.encode(configMap(name)), ...event }
    : { type: 'delete', ...event };
}

const shown = (state: ObjectState | undefined): string | undefined =>
  state && Array.from(state.range(PREFIX), ({ key }) => key.slice(keyOf('').length)).join(' ');

describe('CachedState', () => {
  it('is the last complete revision, and remembers those of the window', async () => {
    await using resource = testResource();
    const state = await stateOf(resource, 'a', 'b');
    const { revision } = state;
    const change = state.apply(eventOf(resource, 'c'), revision + 1, 0);
    state.apply(eventOf(resource, 'a', false), revision + 1, 0);
    assert.equal(state.revision, revision);
    state.advance(revision + 1, 0);
    assert.equal(state.revision, revision + 1);
    assert.deepEqual([change?.previous, change?.current?.revision], [undefined, revision + 1]);
    assert.equal(shown(state), 'b c');
    assert.equal(shown(state.at(revision + 1)), 'b c');
    assert.equal(shown(state.at(revision)), 'a b');
    assert.equal(state.at(revision - 1), undefined);
    assert.equal(state.at(revision + 2), undefined);
    state.advance(revision + 2, 2000);
    assert.equal(state.at(revision), undefined, 'by then, the change is too old');
  });

  it('selects by a field, with and without its index', async () => {
    // The store has none of these events, so the state must keep their values.
    await using resource = testResource({ wrapKV: (kv) => withMethods(kv, {}) });
    const state = await stateOf(resource, 'a', 'b');
    const selected = (value: string) => Array.from(state.selected({ field: 'metadata.name', value }, PREFIX)).length;
    assert.deepEqual(['a', 'b', 'c'].map(selected), [1, 1, 0]);
    await state.indexing('metadata.name');
    assert.equal(state.indexing('metadata.name'), undefined);
    state.apply(eventOf(resource, 'c'), state.revision + 1, 0);
    state.apply(eventOf(resource, 'a', false), state.revision + 1, 0);
    assert.deepEqual(['a', 'b', 'c'].map(selected), [0, 1, 1]);
  });

  it('names unreadable objects until they are written again', async () => {
    await using resource = testResource({ wrapKV: (kv) => withDamagedValue(kv, keyOf('bad')) });
    const state = await stateOf(resource, 'a', 'bad');
    assert.equal(shown(state), 'a');
    assert.deepEqual(
      [PREFIX, `${PREFIX}default/`, keyOf('bad'), keyOf('a'), `${PREFIX}other/`].map((prefix) =>
        state.isDamaged(prefix),
      ),
      [true, true, true, false, false],
    );
    state.apply(eventOf(resource, 'bad'), state.revision + 1, 0);
    assert.equal(state.isDamaged(PREFIX), false);
  });
});
