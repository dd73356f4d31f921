import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterFirstWrite } from './first-write.js';

describe('afterFirstWrite', () => {
  const write = {
    key: '/registry/a',
    expectedRevision: 0,
    operation: { type: 'put', value: Buffer.from('1') },
  } as const;

  it('acts once, after a write', async () => {
    const clock = new VirtualClock();
    await using kv = openMemoryKV({ clock });
    await kv.txn({ ...write, key: '/registry/before' });
    let calls = 0;
    using _ = afterFirstWrite(kv, clock, () => (calls += 1));
    await settle();
    assert.equal(calls, 0);
    await kv.txn(write);
    assert.equal(calls, 1);
    await kv.txn({ ...write, key: '/registry/b' });
    await clock.advance(20_000);
    assert.equal(calls, 1);
    assert.equal(clock.waiting, 0);
  });

  it('acts after ten seconds without a write, and not after its end', async () => {
    const clock = new VirtualClock();
    const kv = openMemoryKV({ clock });
    const acts: string[] = [];
    using _ = afterFirstWrite(kv, clock, () => acts.push('first'));
    afterFirstWrite(kv, clock, () => acts.push('second'))[Symbol.dispose]();
    await kv.close();
    await clock.advance(9_999);
    assert.deepEqual(acts, []);
    await clock.advance(1);
    assert.deepEqual(acts, ['first']);
  });
});
