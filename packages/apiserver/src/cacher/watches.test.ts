import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, type TestResource, testResource, watchedEvents } from '../testing/index.js';
import { CachedState } from './cached-state.js';
import { ChangeWindow } from './change-window.js';
import { readState } from './read-state.js';
import { noStatistics } from './statistics.js';
import { Watches } from './watches.js';

const PREFIX = '/registry/configmaps/';
const everything = { prefix: PREFIX, filter: undefined };

/** Watches on a state of the objects `a` and `b`, and the revisions of both. */
async function watchesOf({ storage }: TestResource, capacity = 10) {
  const [a = 0, b = 0] = [await put(storage, 'a'), await put(storage, 'b')];
  const state = new CachedState(storage, new ChangeWindow({ ageMs: 1000, size: 10, bytes: 100_000 }));
  const read = await readState(storage, new AbortController().signal);
  assert.ok(read !== undefined);
  state.replace(read);
  const statistics = noStatistics();
  const watches = new Watches({ storage, state, gate: undefined, statistics, capacity, capacityBytes: 100_000 });
  const change = (name: string): number => {
    const revision = state.revision + 1;
    const value = storage.codec.encode(configMap(name));
    const key = `${PREFIX}default/${name}`;
    const applied = state.apply({ type: 'put', key, createRevision: revision, value }, revision, 0);
    if (applied !== undefined) watches.offer(applied);
    state.advance(revision, 0);
    return revision;
  };
  return { a, b, watches, statistics, change };
}

const put = async (storage: TestResource['storage'], name: string) =>
  (await storage.create(`${PREFIX}default/${name}`, configMap(name), undefined))?.revision;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Watches', () => {
  it('start with the state, or after a revision of the window', async () => {
    await using resource = testResource();
    const { a, b, watches, statistics, change } = await watchesOf(resource);
    const c = change('c');
    const initial = watches.open({ ...everything, fromRevision: undefined });
    const replayed = watches.open({ ...everything, fromRevision: b });
    const now = watches.open({ ...everything, fromRevision: c });
    assert.equal(watches.onFeed, 3);
    const d = change('d');
    assert.deepEqual([initial.initialCount, initial.initialRevision, initial.revision()], [3, c, d]);
    const added = [`ADDED a ${a}`, `ADDED b ${b}`, `ADDED c ${c}`, `ADDED d ${d}`];
    assert.deepEqual(watchedEvents(initial.watcher), added);
    assert.deepEqual(watchedEvents(replayed.watcher), added.slice(2));
    assert.deepEqual(watchedEvents(now.watcher), added.slice(3));
    assert.equal(statistics.initialEvents, 3);
    initial.stop();
    assert.equal(watches.onFeed, 2);
  });

  it('read the history before the window, and forget it when they stop', async () => {
    await using resource = testResource();
    const { a, b, watches } = await watchesOf(resource);
    const watch = watches.open({ ...everything, fromRevision: a - 1 });
    assert.equal(watches.onFeed, 0);
    assert.equal(watch.revision(), 0, 'the store has delivered nothing yet');
    await turn();
    assert.deepEqual(watchedEvents(watch.watcher), [`ADDED a ${a}`, `ADDED b ${b}`]);
    assert.equal(watch.revision(), b);
    watch.stop();
    await put(resource.storage, 'c');
    await turn();
    assert.deepEqual(watchedEvents(watch.watcher), []);
    assert.deepEqual(watch.watcher.ended, { type: 'stopped' });
  });

  it('replay the history as fast as it is read, and never fall behind', async () => {
    await using resource = testResource();
    const { b, watches } = await watchesOf(resource, 1000);
    const names = Array.from({ length: 2000 }, (_, index) => `c${index}`);
    for (const name of names) await put(resource.storage, name);
    const { watcher } = watches.openOnHistory({ ...everything, fromRevision: b });
    const seen: string[] = [];
    while (seen.length < names.length) {
      for (let waited = 0; waited < 20; waited++) await turn();
      const events = watchedEvents(watcher);
      assert.ok(events.length > 0 && events.length <= 256, `${events.length} events waited`);
      seen.push(...events.map((event) => event.split(' ')[1] ?? ''));
    }
    assert.deepEqual(seen, names);
    assert.equal(watcher.ended, undefined);
  });

  it('end while a replay waits for their reader', async () => {
    await using resource = testResource();
    const { b, watches } = await watchesOf(resource, 1000);
    for (let index = 0; index < 500; index++) await put(resource.storage, `c${index}`);
    const watch = watches.openOnHistory({ ...everything, fromRevision: b });
    for (let waited = 0; waited < 20; waited++) await turn();
    watch.stop();
    await turn();
    const { length } = watchedEvents(watch.watcher);
    assert.ok(length > 0 && length <= 256, `${length} events waited`);
    assert.deepEqual(watch.watcher.ended, { type: 'stopped' });
  });

  it('on the feed end with it, and those on the history go on', async () => {
    await using resource = testResource();
    const { b, watches } = await watchesOf(resource);
    const live = watches.open({ ...everything, fromRevision: b });
    const past = watches.openOnHistory({ ...everything, fromRevision: b });
    watches.endOnFeed({ type: 'feed-lost' });
    const c = await put(resource.storage, 'c');
    await turn();
    assert.deepEqual(live.watcher.ended, { type: 'feed-lost' });
    const tooLate = watches.open({ ...everything, fromRevision: b });
    assert.deepEqual(tooLate.watcher.ended, { type: 'feed-lost' }, 'it would miss what the feed does not deliver');
    watches.begin();
    assert.equal(watches.open({ ...everything, fromRevision: b }).watcher.ended, undefined);
    assert.equal(past.watcher.ended, undefined);
    assert.deepEqual(watchedEvents(past.watcher), [`ADDED c ${c}`]);
    watches.stop();
    assert.deepEqual(past.watcher.ended, { type: 'stopped' });
  });

  it('that fall behind are ended and counted', async () => {
    await using resource = testResource();
    const { b, watches, statistics, change } = await watchesOf(resource, 1);
    const watch = watches.open({ ...everything, fromRevision: b });
    const c = change('c');
    change('d');
    assert.deepEqual(watchedEvents(watch.watcher), [`ADDED c ${c}`]);
    assert.deepEqual([watch.watcher.ended, statistics.fellBehind], [{ type: 'fell-behind' }, 1]);
    assert.equal(watches.onFeed, 0);
  });

  it('that are opened after the stop end at once', async () => {
    await using resource = testResource();
    const { b, watches } = await watchesOf(resource);
    watches.stop();
    for (const fromRevision of [b, 1, undefined]) {
      assert.deepEqual(watches.open({ ...everything, fromRevision }).watcher.ended, { type: 'stopped' });
    }
    assert.deepEqual(watches.openOnHistory({ ...everything, fromRevision: 1 }).watcher.ended, { type: 'stopped' });
  });
});
