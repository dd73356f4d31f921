import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  configMap,
  type TestResource,
  testResource,
  testScope,
  watchedEvents,
  withDamagedValue,
} from '../testing/index.js';
import type { ListRequest } from './list.js';
import { statusErrorOf } from './errors.js';
import { ANY, presentDemandOf, NEWEST } from '../request/index.js';

const KEY = '/registry/configmaps/team/bad';

async function damagedResource(watchCache: boolean): Promise<TestResource> {
  const resource = testResource({ watchCache, wrapKV: (kv) => withDamagedValue(kv, KEY) });
  for (const [namespace, name] of [
    ['default', 'a'],
    ['team', 'a'],
    ['team', 'bad'],
    ['team', 'c'],
  ] as const) {
    await resource.store.create(testScope({ namespace }), configMap(name));
  }
  return resource;
}

const list = (resource: TestResource, namespace: string, more: Partial<ListRequest> = {}) =>
  resource.reader.list({ namespace, ...more });

function isInternal(error: unknown): true {
  const { status } = statusErrorOf(error);
  assert.deepEqual(
    [status.code, status.reason, status.message],
    [500, 'InternalError', `Internal error occurred: the stored data of "${KEY}" is damaged`],
  );
  return true;
}

for (const watchCache of [true, false]) {
  describe(`an object that cannot be read, ${watchCache ? 'with' : 'without'} a cache`, () => {
    it('fails the reads that include it with a 500 that names it', async () => {
      await using resource = await damagedResource(watchCache);
      await resource.reader.cacher.firstAttempt();
      for (const resourceVersion of ['', '0', '1']) {
        await assert.rejects(resource.reader.get('team', 'bad', presentDemandOf(resourceVersion)), isInternal);
      }
      for (const namespace of ['team', '']) {
        for (const more of [{}, { demand: ANY }, { limit: 4 }]) {
          await assert.rejects(list(resource, namespace, more), isInternal);
        }
        await assert.rejects(resource.reader.watch({ namespace, filter: undefined }, NEWEST, true), isInternal);
      }
    });

    it('does not affect other reads', async () => {
      await using resource = await damagedResource(watchCache);
      await resource.reader.cacher.firstAttempt();
      assert.equal(resource.reader.cacher.built, true);
      assert.equal((await resource.reader.get('team', 'a')).key, '/registry/configmaps/team/a');
      assert.equal((await list(resource, 'default')).items.length, 1);
      assert.equal((await list(resource, 'team', { name: 'c' })).items.length, 1);
      const watch = await resource.reader.watch({ namespace: 'team', filter: undefined }, NEWEST, false);
      await resource.store.create(testScope({ namespace: 'team' }), configMap('d'));
      assert.deepEqual(watchedEvents(watch.watcher), [`ADDED d ${await resource.storage.currentRevision()}`]);
      watch.stop();
    });
  });
}
