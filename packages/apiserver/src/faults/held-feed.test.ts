import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, type TestResource, testResource, testScope, watchedEvents } from '../testing/index.js';
import { HeldFeed } from './held-feed.js';
import { Faults } from './index.js';
import { ANY, NEWEST, type StateDemand } from '../request/index.js';

const resource = { group: '', resource: 'configmaps' };

function heldResource(faults: Faults): TestResource {
  return testResource({ cacher: { feedGate: faults.feedGate(resource) } });
}

async function create(test: TestResource, ...names: string[]): Promise<void> {
  for (const name of names) await test.store.create(testScope(), configMap(name));
}

async function names(test: TestResource, demand: StateDemand): Promise<string> {
  const { items } = await test.reader.list({ namespace: '', demand });
  return items.map(({ key }) => key.split('/').at(-1)).join(' ');
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('faults: a cache on hold', () => {
  it('answers reads of any version, and leaves other reads to the store', async () => {
    const faults = new Faults();
    await using test = heldResource(faults);
    await create(test, 'a');
    assert.equal(await names(test, ANY), 'a');
    const hold = faults.add({ match: { resource: 'configmaps' }, action: { type: 'holdCache' } });
    await create(test, 'b', 'c');
    const revision = await test.storage.currentRevision();
    assert.equal(await names(test, ANY), 'a');
    assert.equal(await names(test, NEWEST), 'a b c');
    assert.equal(await names(test, { type: 'at-least', revision }), 'a b c');
    assert.equal(await test.reader.find('default', 'b', ANY), undefined);
    assert.ok(await test.reader.find('default', 'b'));
    assert.equal(hold.hits, 2);
    hold.remove();
    assert.equal(await names(test, ANY), 'a b c');
  });

  it('delays watches, then delivers every event once', async () => {
    const faults = new Faults();
    await using test = heldResource(faults);
    await create(test, 'a');
    const everything = { namespace: '', filter: undefined };
    const before = await test.reader.watch(everything, ANY, false);
    using hold = faults.add({ action: { type: 'holdCache' } });
    await create(test, 'b');
    const [fresh, stale] = [
      await test.reader.watch(everything, NEWEST, false),
      await test.reader.watch(everything, ANY, true),
    ];
    await create(test, 'c');
    await settle();
    assert.deepEqual(watchedEvents(before.watcher), []);
    assert.deepEqual(watchedEvents(fresh.watcher), []);
    assert.deepEqual(watchedEvents(stale.watcher), ['ADDED a 2']);
    hold.remove();
    await create(test, 'd');
    await settle();
    assert.deepEqual(watchedEvents(before.watcher), ['ADDED b 3', 'ADDED c 4', 'ADDED d 5']);
    assert.deepEqual(watchedEvents(fresh.watcher), ['ADDED c 4', 'ADDED d 5']);
    assert.deepEqual(watchedEvents(stale.watcher), ['ADDED b 3', 'ADDED c 4', 'ADDED d 5']);
  });

  it("reports the store's progress afterwards", () => {
    const received: string[] = [];
    const feed = new HeldFeed(true, () => undefined);
    const sink = feed.guard({
      batch: ({ revision }) => received.push(`batch ${revision}`),
      progress: (revision) => received.push(`progress ${revision}`),
      ended: () => undefined,
    });
    sink.progress(3);
    sink.batch({ revision: 4, events: [] });
    sink.progress(7);
    assert.deepEqual(received, []);
    feed.held = false;
    assert.deepEqual(received, ['batch 4', 'progress 7']);
    feed.held = true;
    feed.held = false;
    assert.deepEqual(received.splice(2), []);
  });

  it('remains on hold while any rule holds it', async () => {
    const faults = new Faults();
    await using test = heldResource(faults);
    await create(test, 'a');
    await names(test, ANY);
    const [one, two] = [{ resource: 'configmaps' }, {}].map((match) =>
      faults.add({ match, action: { type: 'holdCache' } }),
    );
    faults.add({ match: { resource: 'secrets' }, action: { type: 'holdCache' } });
    await create(test, 'b');
    one?.remove();
    assert.equal(await names(test, ANY), 'a');
    two?.remove();
    assert.equal(await names(test, ANY), 'a b');
  });
});
