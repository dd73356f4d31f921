import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import * as fc from 'fast-check';
import type { KV } from '../interface/index.js';
import { agreeWithModel, kvSuite } from '../testing/index.js';
import { openMemoryKV } from './index.js';

kvSuite('memory store', openMemoryKV);
kvSuite('copy of a memory store', (options) => openMemoryKV(options).copy());

const put = (kv: KV, key: string, value: string, expectedRevision = 0) =>
  kv.txn({ key, expectedRevision, operation: { type: 'put', value: Buffer.from(value) } });

async function contents(kv: KV, revision?: number): Promise<string> {
  const { items } = await kv.range({ prefix: '/', ...(revision === undefined ? {} : { revision }) });
  return items.map(({ key, value, modRevision }) => `${key}=${Buffer.from(value).toString()}@${modRevision}`).join(' ');
}

test('memory store: a copy has everything including history, and is independent', async () => {
  await using kv = openMemoryKV();
  await put(kv, '/a', '1');
  await put(kv, '/b', '1');
  await put(kv, '/a', '2', 2);
  await kv.compact(3);
  await using copy = kv.copy();
  assert.equal(await contents(copy), '/a=2@4 /b=1@3');
  assert.equal(await contents(copy, 3), '/a=1@2 /b=1@3');
  await assert.rejects(copy.range({ prefix: '/', revision: 2 }), { code: 'compacted' });
  assert.deepEqual(await copy.status(), await kv.status());
  await put(copy, '/c', 'copy');
  await put(kv, '/c', 'original');
  await copy.txn({ key: '/a', expectedRevision: 4, operation: { type: 'delete' } });
  await using second = copy.copy();
  await kv.compact(5);
  await kv.close();
  assert.equal(await contents(copy), '/b=1@3 /c=copy@5');
  assert.equal(await contents(copy, 3), '/a=1@2 /b=1@3');
  assert.equal(await contents(second, 5), '/a=2@4 /b=1@3 /c=copy@5');
  assert.throws(() => kv.copy(), { code: 'closed' });
});

test('memory store: a copy notifies only its own watchers, and its keys expire too', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  await kv.txn({ key: '/a', expectedRevision: 0, operation: { type: 'put', value: Buffer.from('1'), ttlSeconds: 10 } });
  await using copy = kv.copy();
  const seen: string[] = [];
  const watch = (store: KV, name: string) =>
    store.watch(
      { prefix: '/', fromRevision: 1 },
      {
        batch: ({ revision, events }) =>
          seen.push(...events.map(({ type, key }) => `${name} ${type} ${key} ${revision}`)),
        progress: () => undefined,
        ended: () => undefined,
      },
      AbortSignal.any([]),
    );
  watch(kv, 'kv');
  watch(copy, 'copy');
  await put(copy, '/b', '1');
  clock.skip(10_000);
  for (const store of [kv, copy]) await put(store, '/c', '1');
  assert.deepEqual(
    seen.filter((line) => line.startsWith('kv')),
    ['kv put /a 2', 'kv delete /a 3', 'kv put /c 4'],
  );
  assert.deepEqual(
    seen.filter((line) => line.startsWith('copy')),
    ['copy put /a 2', 'copy put /b 3', 'copy delete /a 4', 'copy put /c 5'],
  );
});

test('memory store: compaction leaves nothing of deleted keys', async () => {
  await using kv = openMemoryKV();
  const operation = { type: 'put', value: Buffer.alloc(1000) } as const;
  for (let round = 0; round < 100; round += 1) {
    const { revision } = await kv.txn({ key: `/gone/${round}`, expectedRevision: 0, operation });
    await kv.txn({ key: `/gone/${round}`, expectedRevision: revision, operation });
    await kv.txn({ key: `/gone/${round}`, expectedRevision: revision + 1, operation: { type: 'delete' } });
  }
  assert.ok((await kv.status()).sizeBytes > 200_000);
  await kv.compact(await kv.currentRevision());
  assert.equal((await kv.status()).sizeBytes, 0);
});

test('memory store: agrees with the model on random operations', { timeout: 60_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400 }), (numbers) =>
      agreeWithModel(openMemoryKV, numbers),
    ),
    { numRuns: 300 },
  ),
);
