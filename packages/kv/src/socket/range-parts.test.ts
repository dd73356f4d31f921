import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV } from '../interface/index.js';
import { openMemoryKV } from '../memory/index.js';
import { readInParts } from './range-parts.js';

const signal = new AbortController().signal;

async function filled(kv: KV): Promise<void> {
  for (let index = 0; index < 9; index += 1) {
    const operation = { type: 'put', value: Buffer.alloc(1000, index) } as const;
    await kv.txn({ key: `/a/${index}`, expectedRevision: 0, operation });
  }
}

describe('a range in parts', () => {
  it('reads no value before its part, and is the same as one that is read at once', async () => {
    await using kv = openMemoryKV();
    await filled(kv);
    let loads = 0;
    const open = kv.openReader?.bind(kv) ?? assert.fail('a store in this process has readers');
    kv.openReader = (revision) => {
      const reader = open(revision) ?? assert.fail('it has the revision');
      return { ...reader, load: (of) => (loads++, reader.load(of)), close: () => reader.close() };
    };
    for (const request of [{ prefix: '/a/' }, { prefix: '/a/', revision: 7 }, { prefix: '/a/', limit: 5 }]) {
      const { items, ...result } = await kv.range(request);
      loads = 0;
      const parts = await readInParts(kv, request, signal);
      assert.equal(loads, 0);
      assert.deepEqual(parts.result, { ...result, items: [] });
      const first = await parts.next(1500);
      assert.equal(loads, 2);
      assert.deepEqual([...first, ...(await parts.next(1e6))], items);
      assert.deepEqual(await parts.next(1), []);
      parts.release();
    }
  });

  it('has the keys alone if these are asked for', async () => {
    await using kv = openMemoryKV();
    await filled(kv);
    const parts = await readInParts(kv, { prefix: '/a/', keysOnly: true }, signal);
    assert.deepEqual(await parts.next(1e6), (await kv.range({ prefix: '/a/', keysOnly: true })).items);
  });
});
