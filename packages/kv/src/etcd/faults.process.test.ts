import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type KV, KVError } from '../interface/index.js';
import { EtcdProcess, Link, withoutEtcd } from '../testing/index.js';
import { type EtcdKVOptions, openEtcdKV } from './index.js';
import { RecordedWatch, until, Writer } from './clients.testing.js';
import { putTogether, revokeLeases } from './requests.testing.js';

const limit = { timeout: 600_000 };

/** Runs writers and watchers during faults. Every acknowledged write must be seen once, in order, and no other. */
async function survive(
  endpoints: readonly string[],
  faults: (progressed: () => Promise<void>) => Promise<void>,
  options: Omit<EtcdKVOptions, 'endpoints'> = {},
) {
  await using kv = await openEtcdKV({ endpoints, requestTimeoutMilliseconds: 2000, ...options });
  const base = await kv.currentRevision();
  const all = new RecordedWatch(kv, '/f/', base);
  const some = new RecordedWatch(kv, '/f/a/', base);
  const whole = new RecordedWatch(kv, '', base);
  const quiet = new RecordedWatch(kv, '/quiet/', base);
  const writers = ['a', 'b', 'c'].map((name) => new Writer(kv, name));
  const running = Promise.all(writers.map((writer) => writer.run()));
  await faults(async () => {
    const before = writers.map(({ acknowledged }) => acknowledged.size);
    await until(() => writers.every(({ acknowledged }, index) => acknowledged.size > (before[index] ?? 0)), 'writing');
  });
  for (const writer of writers) writer.stopped = true;
  await running;
  const newest = await kv.currentRevision();
  const { items } = await kv.range({ prefix: '/f/' });
  await until(() => all.revisions.at(-1) === newest && whole.revisions.at(-1) === newest, 'watching');
  const stored = new Map(items.map(({ key, modRevision }) => [modRevision, key]));
  assert.equal(newest - base, stored.size, 'one revision for each write, and each write once');
  const expected = Array.from({ length: newest - base }, (_, index) => base + 1 + index);
  assert.deepEqual(all.revisions, expected);
  assert.deepEqual(whole.revisions, expected);
  for (const { revision, events } of all.batches) assert.equal(events[0]?.key, stored.get(revision));
  const expectedOfSome = expected.filter((revision) => stored.get(revision)?.startsWith('/f/a/'));
  await until(() => some.revisions.length >= expectedOfSome.length, 'watching some');
  assert.deepEqual(some.revisions, expectedOfSome);
  for (const { acknowledged } of writers) {
    for (const [key, revision] of acknowledged) assert.equal(stored.get(revision), key);
  }
  const known = new Set(writers.flatMap(({ acknowledged, unknown }) => [...acknowledged.keys(), ...unknown]));
  for (const key of stored.values()) assert.ok(known.has(key), key);
  assert.deepEqual([quiet.batches.length, quiet.error], [0, undefined]);
  for (const recorded of [all, some, whole, quiet]) recorded.stop();
}

async function surviveRestarts(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await using etcd = await EtcdProcess.start();
  await survive([etcd.endpoint], async (progressed) => {
    for (let round = 0; round < 3; round += 1) {
      await delay(200);
      await etcd.end(signal);
      await delay(100);
      await etcd.resume();
      await progressed();
    }
  });
}

describe('etcd store: faults', { skip: withoutEtcd() }, () => {
  it('recovers from a restart without a lost or repeated event', limit, () => surviveRestarts('SIGTERM'));

  it('recovers from a kill without a lost or repeated event', limit, () => surviveRestarts('SIGKILL'));

  for (const [fate, silenceMilliseconds, silence] of [
    ['and keeps its connections', 35_000, 700],
    ['and gives its connections up', 1200, 3000],
  ] as const) {
    it(`recovers from a network partition ${fate}, without a lost or repeated event`, limit, async () => {
      await using etcd = await EtcdProcess.start({ flags: ['--grpc-keepalive-min-time=100ms'] });
      const link = await Link.to(etcd.endpoint);
      const parted = async (progressed: () => Promise<void>): Promise<void> => {
        for (let round = 0; round < 2; round += 1) {
          await progressed();
          link.partition();
          await delay(silence);
          link.heal();
          await progressed();
        }
      };
      try {
        await survive([link.endpoint], parted, { requestTimeoutMilliseconds: 500, silenceMilliseconds });
      } finally {
        link.close();
      }
    });
  }

  it('closes a silent connection not before its timeout', limit, async () => {
    await using etcd = await EtcdProcess.start({ flags: ['--grpc-keepalive-min-time=100ms'] });
    const link = await Link.to(etcd.endpoint);
    try {
      const options = { endpoints: [link.endpoint], requestTimeoutMilliseconds: 1500, silenceMilliseconds: 2000 };
      await using kv = await openEtcdKV(options);
      const watched = new RecordedWatch(kv, '/s/', await kv.currentRevision());
      const put = (key: string) =>
        kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
      await put('/s/before');
      await until(() => watched.batches.length === 1, 'watching');
      // Long enough for pings to be in flight whenever the silence begins.
      await delay(400);
      link.partition();
      await assert.rejects(put('/s/lost'), { code: 'unavailable', message: 'etcd did not answer in time' });
      link.heal();
      await put('/s/after');
      watched.stop();
    } finally {
      link.close();
    }
  });

  it('measures time on a monotonic clock', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint], requestTimeoutMilliseconds: 1500 });
    const real = Date.now;
    try {
      await etcd.freeze();
      const asked = kv.currentRevision();
      Date.now = () => real() - 3_600_000;
      await etcd.end('SIGKILL');
      await assert.rejects(asked, { code: 'unavailable' });
    } finally {
      Date.now = real;
    }
  });

  it('recovers when members of a cluster fail, leader or not', { timeout: 600_000 }, async () => {
    const members = await EtcdProcess.startCluster(3);
    try {
      const endpoints = members.map(({ endpoint }) => endpoint);
      await survive(endpoints, async (progressed) => {
        for (const [round, member] of members.entries()) {
          await progressed();
          if (round === 2) await member.freeze();
          else await member.end(round === 0 ? 'SIGKILL' : 'SIGTERM');
          await delay(200);
          await progressed();
          if (round === 2) member.thaw();
          else await member.resume();
        }
        await progressed();
      });
    } finally {
      await Promise.all(members.map((member) => member.stop()));
    }
  });

  it('rejects in time without a leader, and recovers with one', { timeout: 600_000 }, async () => {
    const members = await EtcdProcess.startCluster(3);
    const others = members.slice(1);
    try {
      const endpoints = members.map(({ endpoint }) => endpoint);
      await using kv = await openEtcdKV({ endpoints, requestTimeoutMilliseconds: 1500 });
      const base = await kv.currentRevision();
      const recorded = new RecordedWatch(kv, '/f/', base);
      const put = (key: string) =>
        kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
      await put('/f/a');
      await Promise.all(others.map((member) => member.end('SIGKILL')));
      await assert.rejects(put('/f/b'), (error) => error instanceof KVError && error.code === 'unavailable');
      await assert.rejects(
        kv.currentRevision(),
        (error) => error instanceof KVError && error.code === 'unavailable',
        'a read that may be stale',
      );
      await Promise.all(others.map((member) => member.resume()));
      await until(() => recorded.batches.length > 0, 'the first event');
      const { items } = await kv.range({ prefix: '/f/b' });
      const happened = items.length;
      const { revision } = await put('/f/c');
      await until(() => recorded.revisions.at(-1) === revision, 'watching');
      assert.equal(recorded.batches.length, 2 + happened);
      recorded.stop();
    } finally {
      await Promise.all(members.map((member) => member.stop()));
    }
  });

  it('ends a watch overtaken by a compaction while disconnected, and no other', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    const put = (key: string, expectedRevision = 0) =>
      kv.txn({ key, expectedRevision, operation: { type: 'put', value: Buffer.from('x') } });
    const { revision: base } = await put('/quiet/a');
    const quiet = new RecordedWatch(kv, '/quiet/', base);
    const busy = new RecordedWatch(kv, '/busy/', base);
    let newest = base;
    for (let count = 0; count < 20; count += 1) newest = (await put(`/busy/${count}`)).revision;
    await until(() => busy.revisions.at(-1) === newest, 'watching');
    await kv.compact(newest);
    const { revision: after } = await put('/busy/after');
    await until(() => busy.revisions.at(-1) === after, 'watching across the compaction');
    assert.equal(quiet.error, undefined, 'a running watch does not mind a compaction');
    const { revision: woken } = await put('/quiet/b');
    await until(() => quiet.revisions.at(-1) === woken, 'the quiet watch');

    const { revision: end } = await put('/busy/more');
    await until(() => busy.revisions.at(-1) === end, 'watching');
    const { revision: last } = await put('/busy/last');
    await until(() => busy.revisions.at(-1) === last, 'watching');
    await kv.compact(last);
    await etcd.end('SIGKILL');
    await etcd.resume();
    await until(() => quiet.code !== undefined, 'the end of the overtaken watch');
    assert.equal(quiet.code, 'compacted');
    const { revision: again } = await put('/busy/again');
    await until(() => busy.revisions.at(-1) === again, 'the watch that was not overtaken');
    assert.equal(busy.error, undefined);
    busy.stop();
  });

  it('learns the compacted revision from others', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using one = await openEtcdKV({ endpoints: [etcd.endpoint] });
    await using two = await openEtcdKV({ endpoints: [etcd.endpoint] });
    assert.equal((await two.status()).compactedRevision, 0);
    for (let count = 0; count < 10; count += 1) {
      const operation = { type: 'put', value: Buffer.from('x') } as const;
      await one.txn({ key: `/c/${count}`, expectedRevision: 0, operation });
    }
    await one.compact(5);
    assert.equal((await two.status()).compactedRevision, 5);
    await one.compact(9);
    assert.equal((await two.status()).compactedRevision, 9);
    await two.compact(7);
  });

  it('two clients see one state', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using one = await openEtcdKV({ endpoints: [etcd.endpoint] });
    await using two = await openEtcdKV({ endpoints: [etcd.endpoint] });
    const base = await one.currentRevision();
    const records = [new RecordedWatch(one, '/t/', base), new RecordedWatch(two, '/t/', base)];
    let lost = 0;
    const count = async (kv: KV): Promise<void> => {
      for (;;) {
        const { items } = await kv.range({ prefix: '/t/counter', exact: true });
        const next = String(Number(Buffer.from(items[0]?.value ?? []).toString() || '0') + 1);
        const operation = { type: 'put', value: Buffer.from(next) } as const;
        const expectedRevision = items[0]?.modRevision ?? 0;
        const result = await kv.txn({ key: '/t/counter', expectedRevision, operation });
        assert.ok(
          (await (kv === one ? two : one).currentRevision()) >= result.revision,
          'read after write by the other client',
        );
        if (result.succeeded) return;
        lost += 1;
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, index) => count(index % 2 === 0 ? one : two)));
    assert.ok(lost > 0, 'no call competed');
    assert.equal(await two.currentRevision(), base + 40);
    for (const record of records) {
      await until(() => record.revisions.length === 40, 'watching');
      const values = record.batches.map(({ events }) => Buffer.from(events[0]?.value ?? []).toString());
      assert.deepEqual(
        values,
        Array.from({ length: 40 }, (_, index) => String(index + 1)),
      );
      record.stop();
    }
  });

  it('does not split the events of one revision, even if an answer is fragmented', limit, async () => {
    await using etcd = await EtcdProcess.start({ flags: [`--max-request-bytes=${1024 * 1024}`] });
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    const base = await kv.currentRevision();
    const keys = Array.from({ length: 30 }, (_, index) => `/b/${String(index).padStart(2, '0')}`);
    for (let round = 0; round < 10; round += 1) await putTogether(etcd.endpoint, keys, Buffer.alloc(20_000, round));
    const record = new RecordedWatch(kv, '/b/', base);
    await until(() => record.batches.length === 10, 'watching');
    assert.deepEqual(
      record.revisions,
      Array.from({ length: 10 }, (_, index) => base + 1 + index),
    );
    for (const [round, { events }] of record.batches.entries()) {
      assert.deepEqual(
        events.map(({ key }) => key),
        keys,
      );
      assert.ok(events.every(({ value }) => value?.length === 20_000 && value[0] === round));
      assert.ok(events.every(({ previous }) => (previous?.value[0] ?? -1) === round - 1));
    }
    record.stop();
  });

  it('expires a key with a TTL by a shared lease', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    const base = await kv.currentRevision();
    const record = new RecordedWatch(kv, '/t/', base);
    const put = (key: string, ttlSeconds: number, expectedRevision = 0) =>
      kv.txn({ key, expectedRevision, operation: { type: 'put', value: Buffer.from('x'), ttlSeconds } });
    const started = Date.now();
    await Promise.all([put('/t/a', 1), put('/t/b', 1), put('/t/c', 100), put('/t/d', Number.POSITIVE_INFINITY)]);
    await until(() => record.batches.length >= 5, 'expiry');
    assert.ok(Date.now() - started > 800, 'too early');
    await until(() => record.batches.flatMap(({ events }) => events).length === 6, 'expiry of both');
    const { items } = await kv.range({ prefix: '/t/' });
    assert.deepEqual(
      items.map(({ key }) => key),
      ['/t/c', '/t/d'],
    );
    record.stop();
  });

  it('takes a new lease if the current one was revoked', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    const put = (key: string) =>
      kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x'), ttlSeconds: 3600 } });
    await Promise.all([put('/t/a'), put('/t/b')]);
    assert.equal(await revokeLeases(etcd.endpoint), 1, 'one lease for both');
    assert.equal((await kv.range({ prefix: '/t/' })).count, 0);
    assert.ok((await put('/t/c')).succeeded);
    assert.equal((await kv.range({ prefix: '/t/' })).count, 1);
  });

  it('rejects in time when etcd is suspended, and recovers afterwards', limit, async () => {
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint], requestTimeoutMilliseconds: 2000 });
    const put = (key: string) =>
      kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
    const { revision: base } = await put('/s/a');
    const record = new RecordedWatch(kv, '/s/', base);
    await put('/s/b');
    await until(() => record.batches.length === 1, 'watching');
    await kv.checkHealth();
    await etcd.freeze();
    await assert.rejects(kv.checkHealth(AbortSignal.timeout(50)), { name: 'TimeoutError' });
    const started = Date.now();
    const settled = await Promise.allSettled([put('/s/c'), kv.range({ prefix: '/s/' }), kv.currentRevision()]);
    assert.ok(Date.now() - started < 20_000, 'the connection is given up later, after 35 s');
    for (const result of settled) {
      assert.ok(result.status === 'rejected');
      const reason: unknown = result.reason;
      assert.ok(reason instanceof KVError && reason.code === 'unavailable', String(reason));
    }
    etcd.thaw();
    await until(() => record.batches.length >= 1, 'watching');
    await kv.checkHealth();
    const { revision } = await put('/s/d');
    // It need not be the last one: the abandoned write may still take effect.
    await until(() => record.revisions.includes(revision), 'watching again');
    record.stop();
  });

  it('says in one sentence that the cluster is unreachable, at first or later', limit, async () => {
    const etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [etcd.endpoint], requestTimeoutMilliseconds: 300 });
    await etcd.stop();
    await assert.rejects(kv.currentRevision(), (error) => {
      assert.ok(error instanceof KVError && error.code === 'unavailable');
      assert.match(error.message, /127\.0\.0\.1/);
      return true;
    });
    const started = Date.now();
    await assert.rejects(
      openEtcdKV({ endpoints: [etcd.endpoint], connectTimeoutMilliseconds: 500 }),
      (error) => error instanceof KVError && error.code === 'unavailable' && /ECONNREFUSED/.test(error.message),
    );
    assert.ok(Date.now() - started < 15_000, 'without the option it takes 20 s');
    await assert.rejects(openEtcdKV({ endpoints: ['ftp://x'] }), RangeError);
    await assert.rejects(openEtcdKV({ endpoints: [] }), RangeError);
  });

  it('uses another endpoint if one does not answer', limit, async () => {
    const gone = await EtcdProcess.start();
    await gone.stop();
    await using etcd = await EtcdProcess.start();
    await using kv = await openEtcdKV({ endpoints: [gone.endpoint, etcd.endpoint] });
    assert.ok((await kv.currentRevision()) >= 1);
    await etcd.end('SIGKILL');
    await etcd.resume();
    assert.ok((await kv.currentRevision()) >= 1);
  });
});
