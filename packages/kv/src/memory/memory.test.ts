import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { agreeWithModel, forksAgreeWithModel, kvSuite } from '../testing/index.js';
import { openMemoryKV } from './index.js';

kvSuite('memory store', openMemoryKV);
kvSuite('fork of a memory store', (options) => openMemoryKV(options).fork());
kvSuite('fork of a fork', (options) => openMemoryKV(options).fork().fork());

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

test('memory store: agrees with the model on random operations', { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
      agreeWithModel(openMemoryKV, numbers),
    ),
    { numRuns: 150 },
  ),
);

test('fork of a memory store: agrees with the model on random operations', { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 400, size: 'max' }), (numbers) =>
      agreeWithModel((options) => openMemoryKV(options).fork(), numbers),
    ),
    { numRuns: 50 },
  ),
);

test('memory store: it, its forks and their forks never see writes of each other', { timeout: 600_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1000 }), { minLength: 20, maxLength: 120, size: 'max' }), (numbers) =>
      forksAgreeWithModel(openMemoryKV, numbers),
    ),
    { numRuns: 50 },
  ),
);
