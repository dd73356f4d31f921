import { HistoryRetention } from '../storage/index.js';
import { type KV, KVError } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { WallClockWatch } from './upkeep/wall-clock-watch.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 2);

const put = (kv: KV, key: string, ttlSeconds: number) =>
  kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('{}'), ttlSeconds } });
const count = async (kv: KV): Promise<number> => (await kv.range({ prefix: '/events/' })).count;

describe('a jump of the wall clock', () => {
  for (const [direction, jump] of [
    ['forward', 2 * HOUR_MS],
    ['back', -2 * HOUR_MS],
  ] as const) {
    it(`two hours ${direction} expire no event or history early or late, and are logged once`, async () => {
      const clock = new VirtualClock(START);
      await using kv = openMemoryKV({ clock });
      const log: string[] = [];
      using watch = new WallClockWatch({ clock, report: (text) => log.push(text) });
      const failures: unknown[] = [];
      using retention = new HistoryRetention({
        kv,
        retentionMs: HOUR_MS,
        clock,
        report: (error) => failures.push(error),
      });
      await put(kv, '/events/before', 3600);
      const revision = await kv.currentRevision();
      await retention.tick();
      clock.jump(jump);
      await put(kv, '/events/after', 3600);
      await retention.tick();
      for (let look = 0; look < 3; look += 1) watch.look();
      assert.deepEqual(log, [
        `the wall clock jumped 7200 s ${direction}; lifetimes of events and history follow the elapsed time`,
      ]);
      clock.skip(HOUR_MS - 1000);
      await retention.tick();
      assert.equal(await count(kv), 2);
      assert.equal((await kv.range({ prefix: '/events/', revision })).count, 1, 'history stays');
      clock.skip(1001);
      await kv.currentRevision();
      await retention.tick();
      await retention.tick();
      assert.equal(await count(kv), 0, 'and ends in time');
      await assert.rejects(
        kv.range({ prefix: '/events/', revision: revision - 1 }),
        (error) => error instanceof KVError && error.code === 'compacted',
      );
      watch.look();
      assert.equal(log.length, 1);
      assert.deepEqual(failures, []);
    });
  }
});
