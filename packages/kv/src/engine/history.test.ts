import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { readHistory } from './history.js';
import { createEngineKV } from './index.js';
import { MemoryBackend } from './layers/memory-backend.js';

it('pauses for other work between large values', async () => {
  const clock = new VirtualClock(0);
  const backend = new MemoryBackend();
  await using kv = createEngineKV({ backend, clock, now: () => clock.now() });
  for (const size of [10, 10, 300_000, 300_000, 300_000, 300_000]) {
    const { revision } = await kv.status();
    const operation = { type: 'put', value: Buffer.alloc(size) } as const;
    await kv.txn({ key: `/${revision}`, expectedRevision: 0, operation });
  }
  const { revision } = await kv.status();
  let pauses = 0;
  const pause = async (): Promise<void> => void (pauses += 1);
  const context = { backend, revision: () => revision, compactedRevision: 0, pause };
  const { events } = await readHistory(context, { prefix: '/', limit: 100 });
  assert.deepEqual([events.length, pauses], [6, 2]);
});

it('begins at the newest event of a key, however many events of others came later', async () => {
  const clock = new VirtualClock(0);
  const backend = new MemoryBackend();
  await using kv = createEngineKV({ backend, clock, now: () => clock.now() });
  const operation = { type: 'put', value: Buffer.alloc(1) } as const;
  for (const key of ['/wanted', ...Array.from({ length: 300 }, (_, index) => `/other/${index}`)]) {
    await kv.txn({ key, expectedRevision: 0, operation });
  }
  const { revision } = await kv.status();
  const pause = (): Promise<void> => assert.fail('it reads one event');
  const context = { backend, revision: () => revision, compactedRevision: 0, pause };
  const { events } = await readHistory(context, { prefix: '/wanted', exact: true, limit: 1 });
  assert.deepEqual(
    events.map(({ key }) => key),
    ['/wanted'],
  );
  const earlier = await readHistory(context, { prefix: '/wanted', exact: true, limit: 1, before: 2 });
  assert.deepEqual(earlier.events, []);
});
