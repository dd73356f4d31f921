import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { Condenser } from './condensation.js';
import { createEngineKV } from './index.js';
import { MemoryBackend } from './layers/memory-backend.js';

/** Notes how far it was told to condense. */
class NotingCondenser implements Condenser {
  condensedRevision = 1;
  failure: Error | undefined;
  readonly calls: number[] = [];

  async condense(through: number): Promise<void> {
    this.calls.push(through);
    if (this.failure !== undefined) throw this.failure;
    this.condensedRevision = through;
  }
}

const MINUTE = 60_000;

function open(afterMilliseconds = 5 * MINUTE) {
  const clock = new VirtualClock(1_000_000);
  const condenser = new NotingCondenser();
  const condensing = { condenser, afterMilliseconds, everyMilliseconds: MINUTE };
  const kv = createEngineKV({ backend: new MemoryBackend(), clock, now: () => clock.now(), condensing });
  const write = async (times: number): Promise<void> => {
    for (let left = times; left > 0; left -= 1) {
      const { revision } = await kv.status();
      const operation = { type: 'put', value: Buffer.from('value') } as const;
      await kv.txn({ key: `/${revision}`, expectedRevision: 0, operation });
    }
  };
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await clock.advance(MINUTE);
    }
  };
  return { kv, condenser, write, pass };
}

it('condenses what is old enough, in slices, once', async () => {
  const { kv, condenser, write, pass } = open();
  await using _kv = kv;
  await write(80);
  await pass(3);
  await write(10);
  assert.deepEqual(condenser.calls, [], 'all is younger');
  await pass(3);
  assert.deepEqual(condenser.calls, [33, 65, 81]);
  await pass(1);
  assert.equal(condenser.calls.length, 3);
  await pass(1);
  assert.equal(condenser.condensedRevision, 91);
});

it('leaves alone what a reader has pinned', async () => {
  const { kv, condenser, write, pass } = open();
  await using _kv = kv;
  await write(20);
  const reader = kv.openReader(11);
  await pass(7);
  assert.equal(condenser.condensedRevision, 11);
  reader.close();
  await pass(1);
  assert.equal(condenser.condensedRevision, 21);
});

it('tries again after a failure, and stops with the store', async () => {
  const { kv, condenser, write, pass } = open();
  await write(20);
  condenser.failure = new Error('the disk is full');
  await pass(7);
  assert.ok(condenser.calls.length > 1);
  assert.equal(condenser.condensedRevision, 1);
  condenser.failure = undefined;
  await kv.close();
  const calls = condenser.calls.length;
  await pass(3);
  assert.equal(condenser.calls.length, calls);
});
