import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV } from '@binnacle/kv';
import { configMap, testResource, withMethods } from '../testing/index.js';
import type { ListHold } from './list.js';
import { listFromStore, type StoreListOptions } from './store-list.js';

const OBJECTS = 2500;
const VALUE_BYTES = 1000;
const prefix = '/registry/configmaps/';

/** A store with this many objects, and how the values of a range were read. */
async function filled(inPlace: boolean) {
  const reads = { most: 0 };
  const wrapKV = (kv: KV): KV =>
    withMethods(kv, {
      range: async (request) => {
        const result = await kv.range(request);
        if (request.keysOnly !== true) reads.most = Math.max(reads.most, result.items.length);
        return result;
      },
      ...(inPlace ? { openReader: (at: number) => kv.openReader?.(at) } : {}),
    });
  const { storage, kv } = testResource({ wrapKV });
  for (let index = 0; index < OBJECTS; index++) {
    const name = String(index).padStart(5, '0');
    const value = storage.codec.encode(configMap(name, { data: { padding: 'x'.repeat(VALUE_BYTES) } }));
    await kv.txn({ key: `${prefix}default/${name}`, expectedRevision: 0, operation: { type: 'put', value } });
  }
  const revision = await storage.currentRevision();
  const last = `${prefix}default/${String(OBJECTS - 1).padStart(5, '0')}`;
  await kv.txn({ key: last, expectedRevision: revision, operation: { type: 'delete' } });
  const releases: (() => void)[] = [];
  const reserved = { bytes: 0 };
  const hold: ListHold = {
    reserve: (bytes) => (reserved.bytes += bytes),
    whenUsed: (release) => releases.push(release),
  };
  const list = (options: Partial<StoreListOptions>) =>
    listFromStore(storage, {
      revision,
      prefix,
      from: prefix,
      filter: undefined,
      limit: 0,
      known: (stored) => stored,
      observer: undefined,
      hold,
      ...options,
    });
  return { list, reads, releases, reserved };
}

describe('a list of an old state', () => {
  for (const limit of [0, 2000]) {
    it(`leaves the values in a store of this process, with limit ${limit}`, async () => {
      const { list, reads, releases, reserved } = await filled(true);
      const { items, remainingItemCount } = await list({ limit });
      assert.equal(items.length, limit || OBJECTS);
      assert.equal(remainingItemCount, limit === 0 ? undefined : OBJECTS - limit);
      assert.equal(items[0]?.decode().metadata?.name, '00000');
      assert.deepEqual(
        { reads: reads.most, reserved: reserved.bytes, releases: releases.length },
        { reads: 0, reserved: 0, releases: 1 },
      );
      for (const release of releases) release();
    });

    it(`reads another store in pages and reserves memory for them, with limit ${limit}`, async () => {
      const { list, reads, releases, reserved } = await filled(false);
      const { items, remainingItemCount } = await list({ limit });
      assert.equal(items.length, limit || OBJECTS);
      assert.equal(remainingItemCount, limit === 0 ? undefined : OBJECTS - limit);
      assert.ok(reserved.bytes > items.length * VALUE_BYTES);
      assert.ok(reads.most <= 1000, `${reads.most} objects at once`);
      assert.equal(releases.length, 0);
    });
  }

  it('ends when there is no memory for it', async () => {
    const { list, reads } = await filled(false);
    const hold: ListHold = {
      reserve: () => {
        throw new Error('no memory');
      },
      whenUsed: () => undefined,
    };
    await assert.rejects(list({ hold }), /no memory/);
    assert.equal(reads.most, 1000);
  });
});
