import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TxnRequest } from '@binnacle/kv';
import { statusErrorOf } from '../registry/index.js';
import { configMap, type TestResource, testResource, testScope, watchedEvents } from '../testing/index.js';
import type { ObjectFilter } from './event.js';
import type { Watcher } from './watcher.js';

const PREFIX = '/registry/configmaps/';
const KEY = `${PREFIX}default/bad`;
const GARBAGE = { type: 'put', value: Buffer.from('garbage') } as const;

/** Writes to the store as another program would, past the codec. */
async function write({ kv }: TestResource, operation: TxnRequest['operation']): Promise<number> {
  const { items } = await kv.range({ prefix: KEY, exact: true });
  const { succeeded, revision } = await kv.txn({ key: KEY, expectedRevision: items[0]?.modRevision ?? 0, operation });
  assert.ok(succeeded);
  return revision;
}

const readable = ({ storage }: TestResource, first: string) =>
  ({
    type: 'put',
    value: storage.codec.encode({
      ...configMap('bad'),
      metadata: { name: 'bad', namespace: 'default', labels: { first } },
    }),
  }) as const;

const first: ObjectFilter = (object) => object.labels['first'] === 'yes';

const watch = (resource: TestResource, fromRevision: number | undefined, filter?: ObjectFilter) =>
  resource.cacher.watch({ prefix: PREFIX, filter, fromRevision });

function errorOf({ ended }: Watcher): unknown {
  if (ended?.type !== 'failed') return ended?.type;
  const { code, reason, message } = statusErrorOf(ended.error).status;
  return [code, reason, message?.replace(/: [^:]*$/, '')];
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an object that cannot be decoded', () => {
  it('is left out of a cache that is built, and its deletion ends the watches that may have it', async () => {
    await using resource = testResource();
    await resource.store.create(testScope(), configMap('a'));
    const bad = await write(resource, GARBAGE);
    await resource.cacher.ready();
    assert.equal(resource.cacher.size, 1);
    assert.deepEqual(resource.cacher.damaged, [KEY]);
    assert.equal(resource.cacher.isDamaged(`${PREFIX}other/`), false);
    const watches = [watch(resource, bad), watch(resource, bad, first)];
    await resource.store.create(testScope(), configMap('b'));
    assert.equal(watchedEvents(watches[0]?.watcher ?? assert.fail()).length, 1);
    await write(resource, { type: 'delete' });
    for (const { watcher } of watches) {
      const message = `saw a DELETED event, but object data is corrupt - object not decodable revision=${bad}`;
      assert.deepEqual(errorOf(watcher), [500, 'StorageReadError', message]);
    }
    assert.deepEqual([resource.cacher.damaged, resource.cacher.built], [[], true]);
  });

  it('does not reach the watches of a cache, which see what becomes of its last readable state', async () => {
    for (const [operation, whole, filtered] of [
      [(resource: TestResource) => readable(resource, 'yes'), 'MODIFIED', 'MODIFIED'],
      [(resource: TestResource) => readable(resource, 'no'), 'MODIFIED', 'DELETED'],
      [() => ({ type: 'delete' }) as const, 'DELETED', 'DELETED'],
    ] as const) {
      await using resource = testResource();
      const created = await write(resource, readable(resource, 'yes'));
      await resource.cacher.ready();
      await resource.cacher.indexing('metadata.name');
      const watches = [watch(resource, created), watch(resource, created, first)] as const;
      await write(resource, GARBAGE);
      const again = await write(resource, GARBAGE);
      assert.deepEqual(resource.cacher.damaged, [KEY]);
      assert.deepEqual(Array.from(resource.cacher.range(PREFIX)), []);
      const indexed = resource.cacher.indexed({ field: 'metadata.name', value: 'bad' }, PREFIX);
      assert.deepEqual(Array.from(indexed), []);
      const last = await write(resource, operation(resource));
      assert.equal(last, again + 1);
      assert.deepEqual(
        watches.map(({ watcher }) => watchedEvents(watcher)),
        [[`${whole} bad ${last}`], [`${filtered} bad ${last}`]],
      );
      assert.deepEqual([resource.cacher.damaged, resource.cacher.built], [[], true]);
      assert.equal(resource.cacher.stateAt(created), undefined, 'only the store knows the states between');
    }
  });

  it('does not reach a watch from the past, which ends with the event after it', async () => {
    await using resource = testResource();
    const created = await write(resource, readable(resource, 'yes'));
    const bad = await write(resource, GARBAGE);
    await write(resource, readable(resource, 'yes'));
    const past = resource.cacher.watchStore({
      prefix: PREFIX,
      filter: undefined,
      fromRevision: created - 1,
    });
    const { watcher } = past;
    while (watcher.ended === undefined) await turn();
    const message = `saw a MODIFIED event, but object data is corrupt - object not decodable revision=${bad}`;
    assert.deepEqual(errorOf(watcher), [500, 'StorageReadError', message]);
    assert.deepEqual(watchedEvents(watcher), [`ADDED bad ${created}`]);
    past.stop();
  });
});
