import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createEngineKV } from '../engine-kv.js';
import { MemoryBackend } from './memory-backend.js';

/** Counts the look-ups of keys. */
class CountingBackend extends MemoryBackend {
  lookUps = 0;

  override pointer(key: string) {
    this.lookUps += 1;
    return super.pointer(key);
  }
}

it('forgets the keys that neither side has any more', async () => {
  const clock = new VirtualClock();
  const backend = new CountingBackend();
  await using kv = createEngineKV({ backend, clock, now: () => 0 });
  const put = async (key: string): Promise<number> =>
    (await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('1') } })).revision;
  const remove = (key: string, expectedRevision: number) =>
    kv.txn({ key, expectedRevision, operation: { type: 'delete' } });
  const kept = await put('/kept');
  await using fork = kv.fork();
  for (let index = 0; index < 20; index += 1) await remove(`/short/${index}`, await put(`/short/${index}`));
  // In one round: deleted, and there again.
  const revision = await put('/again');
  await Promise.all([remove('/again', revision), put('/again')]);
  await remove('/kept', kept);
  backend.lookUps = 0;
  const { items, count } = await fork.range({ prefix: '/', limit: 1 });
  assert.deepEqual([items.map(({ key }) => key), count], [['/kept'], 1]);
  // A count looks up the keys that the fork hides or keeps.
  assert.ok(backend.lookUps <= 4, String(backend.lookUps));
});
