import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { KVError } from '../interface/index.js';
import type { ForgottenState } from './backend.js';
import { createEngineKV } from './index.js';
import { MemoryBackend } from './layers/memory-backend.js';

/** A backend on a full disk, which has space to remove some values at a time. */
class FullBackend extends MemoryBackend {
  space = 0;
  readonly removals: number[] = [];

  override async forgetValues(revisions: readonly number[], prefix: string, state: ForgottenState): Promise<void> {
    this.removals.push(revisions.length);
    if (revisions.length > this.space) throw new KVError('full', 'no space is left');
    await super.forgetValues(revisions, prefix, state);
  }
}

it('values are removed in smaller slices when the disk is full', async () => {
  const backend = new FullBackend();
  await using kv = createEngineKV({ backend, clock: new VirtualClock(), now: () => 0 });
  let revision = 0;
  for (let write = 0; write <= 100; write += 1) {
    const operation = { type: 'put', value: Buffer.from(String(write)) } as const;
    ({ revision } = await kv.txn({ key: '/s/a', expectedRevision: revision, operation }));
  }
  await assert.rejects(kv.forgetValues('/s/', revision), { code: 'full' });
  assert.deepEqual(backend.removals, [100, 64, 8, 1]);
  backend.space = 60;
  backend.removals.length = 0;
  await kv.forgetValues('/s/', revision);
  assert.deepEqual(backend.removals, [1, 99, 64, 8, 91, 64, 8, 83, 64, 8, 75, 64, 8, 67, 64, 8, 59]);
});
