import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import type { RangeRequest } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withMethods } from '../../testing/index.js';
import { startInProcessServer } from '../start-in-process-server.js';

/** The resources whose objects a server reads before its first request. Users store few of them. */
const NEEDED = ['apiextensions', 'apiregistration', 'flowschemas', 'prioritylevel', 'role'];

test('a fork writes nothing before it is ready, and reads no collection of users', async () => {
  const clock = new VirtualClock();
  await using kv = openMemoryKV({ clock });
  const parent = await startInProcessServer({ kv, clock, random: seededRandom(1) });
  await parent.stop();
  await kv.txn({
    key: '/registry/priorityclasses/system-node-critical',
    expectedRevision: await modRevision('/registry/priorityclasses/system-node-critical'),
    operation: { type: 'delete' },
  });
  await using fork = kv.fork();
  const read: RangeRequest[] = [];
  const counted = withMethods(fork, {
    range: (request, signal) => {
      read.push(request);
      return fork.range(request, signal);
    },
  });
  const before = await fork.currentRevision();
  const server = await startInProcessServer({ kv: counted, isFork: true, clock, random: seededRandom(2) });
  assert.equal(await fork.currentRevision(), before);
  const whole = read.filter(({ exact, countOnly }) => exact !== true && countOnly !== true);
  assert.ok(whole.length > 0);
  assert.deepEqual(
    whole.filter(({ prefix }) => !NEEDED.some((part) => prefix.includes(part))),
    [],
  );
  // Later it stores what is missing.
  await clock.advance(10_000);
  const { items } = await fork.range({ prefix: '/registry/priorityclasses/system-node-critical', exact: true });
  assert.equal(items.length, 1);
  await server.stop();

  async function modRevision(prefix: string): Promise<number> {
    const { items } = await kv.range({ prefix, exact: true });
    return items[0]?.modRevision ?? 0;
  }
});
