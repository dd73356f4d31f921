import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KV, KVError, type RangeRequest, type RangeResult, type ValueReader } from '@binnacle/kv/interface';
import { configMap, type TestResource, testResource, testScope, watchedEvents, withMethods } from '../testing/index.js';
import { statusErrorOf } from './errors.js';
import { noAdmission } from './scope.js';

const KEY = '/registry/configmaps/team/bad';

/** Cannot read the value of {@link KEY}, as an embedded store in which it is damaged. */
function withDamage(kv: KV): KV {
  const error = (revision: number): KVError =>
    new KVError('corrupt', `the stored data of ${JSON.stringify(KEY)} is damaged`, {
      damaged: [{ key: KEY, revision }],
    });
  let lostRevision = 0;
  const range = async (request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> => {
    const result = await kv.range(request, signal);
    const lost = result.items.find(({ key }) => key === KEY);
    if (lost === undefined) return result;
    lostRevision = lost.modRevision;
    // Keys and revisions are in the index, which is sound.
    if (request.keysOnly === true) return result;
    if (request.damaged !== 'report') throw error(lostRevision);
    const items = result.items.filter((item) => item !== lost);
    return { ...result, items, damaged: [{ key: KEY, revision: lostRevision }] };
  };
  const openReader = (revision: number): ValueReader => {
    const reader = kv.openReader?.(revision);
    assert.ok(reader !== undefined);
    return {
      advance: (to) => reader.advance(to),
      read: (modRevision) => reader.read(modRevision),
      load: (modRevision) => {
        if (modRevision === lostRevision) throw error(modRevision);
        return reader.load(modRevision);
      },
      close: () => reader.close(),
    };
  };
  return withMethods(kv, { range, openReader });
}

async function damagedResource(watchCache: boolean): Promise<TestResource> {
  const resource = testResource({ watchCache, wrapKV: withDamage });
  for (const [namespace, name] of [
    ['default', 'a'],
    ['team', 'a'],
    ['team', 'bad'],
    ['team', 'c'],
  ] as const) {
    await resource.store.create(testScope({ namespace }), configMap(name), noAdmission);
  }
  return resource;
}

const list = (resource: TestResource, namespace: string, more = {}) =>
  resource.reader.list({
    namespace,
    filter: undefined,
    limit: 0,
    continueToken: '',
    resourceVersion: '',
    ...more,
  });

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
    it('fails the reads that it belongs to with 500, which names it', async () => {
      await using resource = await damagedResource(watchCache);
      await resource.reader.cacher.firstAttempt();
      for (const resourceVersion of ['', '0', '1']) {
        await assert.rejects(resource.reader.get('team', 'bad', resourceVersion), isInternal);
      }
      for (const namespace of ['team', '']) {
        for (const more of [{}, { resourceVersion: '0' }, { limit: 4 }]) {
          await assert.rejects(list(resource, namespace, more), isInternal);
        }
        await assert.rejects(resource.reader.watch({ namespace, filter: undefined }, '', true), isInternal);
      }
    });

    it('leaves all other reads as they are', async () => {
      await using resource = await damagedResource(watchCache);
      await resource.reader.cacher.firstAttempt();
      assert.equal(resource.reader.cacher.built, true);
      assert.equal((await resource.reader.get('team', 'a', '')).key, '/registry/configmaps/team/a');
      assert.equal((await list(resource, 'default')).items.length, 1);
      assert.equal((await list(resource, 'team', { name: 'c' })).items.length, 1);
      const watch = await resource.reader.watch({ namespace: 'team', filter: undefined }, '', false);
      await resource.store.create(testScope({ namespace: 'team' }), configMap('d'), noAdmission);
      assert.deepEqual(watchedEvents(watch.watcher), [`ADDED d ${await resource.storage.currentRevision()}`]);
      watch.stop();
    });
  });
}
