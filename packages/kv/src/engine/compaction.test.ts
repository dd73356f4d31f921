import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { createEngineKV } from './index.js';
import { MemoryBackend } from './layers/memory-backend.js';

/** A backend whose check before a removal ends only with the backend or by `checked`. */
class CheckingBackend extends MemoryBackend {
  #began: () => void = () => undefined;
  checked: () => void = () => undefined;
  /** Resolves when the check begins. */
  readonly checking = new Promise<void>((resolve) => {
    this.#began = resolve;
  });
  readonly #check = new Promise<void>((resolve) => {
    this.checked = resolve;
  });
  readonly removals: number[] = [];

  override prepareRemoval(): Promise<void> {
    this.#began();
    return this.#check;
  }

  override removeRecords(revisions: readonly number[], through: number): Promise<void> {
    this.removals.push(...revisions);
    return super.removeRecords(revisions, through);
  }

  override close(): Promise<void> {
    this.checked();
    return super.close();
  }
}

const put = (expectedRevision: number) =>
  ({ key: '/a', expectedRevision, operation: { type: 'put', value: Buffer.from('value') } }) as const;

it('writes go on while the backend prepares the removal of history, which waits for it', async () => {
  const backend = new CheckingBackend();
  await using kv = createEngineKV({ backend, clock: new VirtualClock(), now: () => 0 });
  await kv.txn(put(0));
  await kv.txn(put(2));
  const compacted = kv.compact(3);
  await backend.checking;
  assert.equal((await kv.txn(put(3))).succeeded, true);
  assert.equal((await kv.txn(put(4))).succeeded, true);
  assert.deepEqual(backend.removals, []);
  backend.checked();
  await compacted;
  assert.deepEqual(backend.removals, [2]);
});

it('a close ends the preparation, and nothing is removed', async () => {
  const backend = new CheckingBackend();
  const kv = createEngineKV({ backend, clock: new VirtualClock(), now: () => 0 });
  await kv.txn(put(0));
  await kv.txn(put(2));
  const compacted = kv.compact(3);
  await backend.checking;
  await kv.close();
  await compacted;
  assert.deepEqual(backend.removals, []);
});
