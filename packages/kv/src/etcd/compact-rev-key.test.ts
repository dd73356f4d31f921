import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KV, KVError } from '../interface/index.js';
import { openMemoryKV } from '../memory/index.js';
import { COMPACT_REV_KEY, FIRST_COMPACTION, takeCompactionTurn } from './compact-rev-key.js';

async function write(kv: KV, key: string): Promise<number> {
  const operation = { type: 'put', value: Buffer.from('x') } as const;
  return (await kv.txn({ key, expectedRevision: 0, operation })).revision;
}

async function keyValue(kv: KV): Promise<string> {
  const { items } = await kv.range({ prefix: COMPACT_REV_KEY, exact: true });
  return Buffer.from(items[0]?.value ?? []).toString();
}

test('compaction turns: one server compacts the revision of its previous turn', async () => {
  await using kv = openMemoryKV();
  await write(kv, '/a');
  const first = await takeCompactionTurn(kv, FIRST_COMPACTION);
  assert.equal(first.compactedRevision, 0);
  assert.equal(await keyValue(kv), '0');
  const then = first.turn.storeRevision;
  assert.equal(then, await kv.currentRevision());
  await write(kv, '/b');
  const second = await takeCompactionTurn(kv, first.turn);
  assert.equal(second.compactedRevision, then);
  assert.equal((await kv.status()).compactedRevision, then);
  assert.equal(await keyValue(kv), String(then));
});

test('compaction turns: one of several servers compacts, and another takes over', async () => {
  await using kv = openMemoryKV();
  const compactions: number[] = [];
  const counted: Pick<KV, 'txn' | 'compact'> = {
    txn: (request, signal) => kv.txn(request, signal),
    compact: (revision) => {
      compactions.push(revision);
      return kv.compact(revision);
    },
  };
  let turns = Array.from({ length: 3 }, () => FIRST_COMPACTION);
  for (let interval = 0; interval < 4; interval += 1) {
    await write(kv, `/${interval}`);
    const outcomes = [];
    for (const turn of turns) outcomes.push(await takeCompactionTurn(counted, turn));
    turns = outcomes.map(({ turn }) => turn);
    assert.equal(compactions.length, interval, 'one compaction an interval, none in the first');
    const known = outcomes.map(({ compactedRevision }) => compactedRevision);
    assert.deepEqual(new Set(known).size, 1, 'all know what was compacted');
  }
  const [, , survivor = FIRST_COMPACTION] = turns;
  const takenOver = await takeCompactionTurn(counted, survivor);
  const next = await takeCompactionTurn(counted, takenOver.turn);
  assert.ok(compactions.length >= 4);
  assert.ok(next.compactedRevision >= takenOver.compactedRevision);
});

test('compaction turns: a failed compaction counts as a turn; an unknown outcome does not', async () => {
  await using kv = openMemoryKV();
  const failure = new KVError('unavailable', 'the store is away');
  const first = await takeCompactionTurn(kv, FIRST_COMPACTION);
  const away: Pick<KV, 'txn' | 'compact'> = {
    txn: (request) => kv.txn(request),
    compact: () => Promise.reject(failure),
  };
  const second = await takeCompactionTurn(away, first.turn);
  assert.equal(second.failure, failure);
  assert.equal(second.compactedRevision, 0);
  assert.ok(second.turn.storeRevision > first.turn.storeRevision);
  const further = { ...away, txn: () => Promise.reject(failure) };
  await assert.rejects(takeCompactionTurn(further, second.turn), failure);
});

test('compaction turns: a foreign value of the key is not trusted', async () => {
  await using kv = openMemoryKV();
  const operation = { type: 'put', value: Buffer.from('nonsense') } as const;
  await kv.txn({ key: COMPACT_REV_KEY, expectedRevision: 0, operation });
  const { compactedRevision, turn } = await takeCompactionTurn(kv, FIRST_COMPACTION);
  assert.equal(compactedRevision, 0);
  assert.equal(turn.keyRevision, await kv.currentRevision());
});
