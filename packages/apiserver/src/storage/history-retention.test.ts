import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import { HistoryRetention } from './history-retention.js';

const value = new Uint8Array([1]);

test('compacts history older than the retention and keeps younger history', async () => {
  await using kv = openMemoryKV();
  const clock = new VirtualClock();
  const failures: unknown[] = [];
  using retention = new HistoryRetention({
    kv,
    retentionMs: 1000,
    clock,
    report: (error) => failures.push(error),
  });
  const write = (key: string) => kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });

  await write('/a');
  await retention.tick();
  const old = await kv.currentRevision();
  clock.skip(900);
  await write('/b');
  await retention.tick();
  const young = await kv.currentRevision();
  clock.skip(100);
  await retention.tick();

  assert.equal((await kv.status()).compactedRevision, old);
  assert.equal((await kv.range({ prefix: '/', revision: young })).count, 2);
  assert.deepEqual(failures, []);
});

test('forgets only the values under a prefix, and keeps those that others need', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const put = async (key: string, expectedRevision = 0): Promise<number> =>
    (await kv.txn({ key, expectedRevision, operation: { type: 'put', value } })).revision;
  let oldest: number | undefined = await put('/secrets/a');
  const report = (error: unknown) => assert.ifError(error);
  const options = { kv, retentionMs: 1000, oldestKept: () => oldest, clock, report };
  using retention = new HistoryRetention({ ...options, valuesUnder: '/secrets/' });
  const newest = await put('/secrets/a', oldest);
  await put('/pods/a');
  const isReadable = (prefix: string, revision: number): Promise<boolean> =>
    kv.range({ prefix, revision }).then(
      () => true,
      () => false,
    );
  for (let tick = 0; tick < 2; tick += 1) {
    await retention.tick();
    clock.skip(1000);
  }
  assert.equal(await isReadable('/secrets/', newest - 1), true);
  oldest = undefined;
  await retention.tick();
  assert.deepEqual([await isReadable('/secrets/', newest - 1), await isReadable('/pods/', newest - 1)], [false, true]);
  assert.equal((await kv.status()).compactedRevision, 0);
});

test('keeps the revisions that others need, however old', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const write = (key: string) => kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
  let oldest: number | undefined = (await write('/a')).revision;
  const oldestKept = () => oldest;
  const report = (error: unknown) => assert.ifError(error);
  using retention = new HistoryRetention({ kv, retentionMs: 1000, oldestKept, clock, report });
  for (let tick = 0; tick < 3; tick += 1) {
    await write(`/${tick}`);
    await retention.tick();
    clock.skip(1000);
  }
  assert.equal((await kv.status()).compactedRevision, oldest);
  oldest = undefined;
  await retention.tick();
  assert.equal((await kv.status()).compactedRevision, await kv.currentRevision());
});

test('keeps nothing for a revision that is compacted already', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const write = async (key: string) => {
    const { revision } = await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
    return revision;
  };
  const needed = [await write('/a'), await write('/b')];
  const compacted = await write('/c');
  await kv.compact(compacted);
  needed.push(await write('/d'));
  const oldestKept = (since: number) => needed.find((revision) => revision >= since);
  const report = (error: unknown) => assert.ifError(error);
  using retention = new HistoryRetention({ kv, retentionMs: 1000, oldestKept, clock, report });
  for (let tick = 0; tick < 3; tick += 1) {
    await write(`/${tick}`);
    await retention.tick();
    clock.skip(1000);
  }
  assert.equal((await kv.status()).compactedRevision, needed.at(-1));
});

test('first compacts the old history that an earlier process has left', async () => {
  const clock = new VirtualClock(1_000_000);
  await using kv = openMemoryKV({ clock });
  const write = (key: string) => kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
  const { revision: old } = await write('/a');
  clock.skip(900);
  await write('/b');
  clock.skip(200);
  using retention = new HistoryRetention({ kv, retentionMs: 1000, clock, report: (error) => assert.ifError(error) });
  await retention.tick();
  assert.equal((await kv.status()).compactedRevision, old);
  clock.skip(900);
  await retention.tick();
  assert.equal((await kv.status()).compactedRevision, old, 'from then on by what it has seen itself');
});

test('reports a failed compaction and retries at the next tick', async () => {
  const kv = openMemoryKV();
  const failures: unknown[] = [];
  using retention = new HistoryRetention({
    kv,
    retentionMs: 1000,
    clock: new VirtualClock(),
    report: (error) => failures.push(error),
  });
  await kv.close();
  await retention.tick();
  await retention.tick();
  assert.equal(failures.length, 2);
});

test('does nothing with a retention of 0', async () => {
  const clock = new VirtualClock();
  const kv = openMemoryKV();
  await kv.close();
  const failures: unknown[] = [];
  const report = (error: unknown): void => void failures.push(error);
  using _forEver = new HistoryRetention({ kv, retentionMs: 0, clock, report });
  await clock.advance(24 * 60 * 60_000);
  assert.deepEqual(failures, []);
});
