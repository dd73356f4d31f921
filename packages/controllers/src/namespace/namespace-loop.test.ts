import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTime } from '@binnacle/apimachinery/time';
import { VirtualClock, settle } from '@binnacle/client/testing';
import { runLoop } from '../testing/index.js';
import { FakeCluster, failure } from './cluster.testing.js';
import { createNamespaceLoop } from './namespace-loop.js';

const DELETED_AT = '2027-01-15T08:00:00Z';
const held = { metadata: { finalizers: ['example.com/tide'] } };

async function run(cluster: FakeCluster, { isSoleServer = true }: { readonly isSoleServer?: boolean } = {}) {
  const clock = new VirtualClock(parseTime(DELETED_AT));
  const loop = runLoop(createNamespaceLoop, cluster.transport, { clock, isSoleServer });
  const passing = async () => {
    for (let turns = 0; turns < 40; turns++) await settle();
  };
  await passing();
  return {
    ...loop,
    passing,
    end: async () => {
      await loop.end();
      assert.deepEqual(cluster.watched, []);
    },
  };
}

const cluster = () => new FakeCluster().serve('pods').serve('boats', 'example.com');
const passes = ({ log }: FakeCluster) => log.filter((entry) => entry === 'PUT namespaces/status').length;

describe('namespace loop', () => {
  it('finalizes a namespace that was deleted before it started', async () => {
    const fake = cluster().add('boats', 'a');
    const { end } = await run(fake);
    assert.deepEqual([fake.namespace, fake.count('boats')], [undefined, 0]);
    await end();
  });

  it('is idle before the deletion of a namespace and after it', async () => {
    const fake = cluster().add('boats', 'a');
    delete fake.namespace?.metadata.deletionTimestamp;
    const { end, passing, clock, reports } = await run(fake);
    fake.touch({ labels: { a: 'b' } });
    await passing();
    assert.deepEqual([fake.log, clock.waiting], [['GET namespaces', 'WATCH namespaces'], 0]);

    fake.touch({ deletionTimestamp: DELETED_AT });
    await passing();
    assert.equal(fake.namespace, undefined);
    const requests = fake.log.length;
    await clock.advance(24 * 3_600_000);
    assert.deepEqual([fake.log.length, clock.waiting, reports], [requests, 0, []]);
    await end();
  });

  it('waits 5 s for other servers', async () => {
    const fake = cluster().add('boats', 'a');
    const { end, clock, passing } = await run(fake, { isSoleServer: false });
    await clock.advance(4999);
    assert.equal(fake.count('boats'), 1);
    await clock.advance(1);
    await passing();
    assert.deepEqual([fake.count('boats'), fake.namespace], [0, undefined]);
    await end();
  });

  it('runs the next pass after half of the estimate', async () => {
    const fake = cluster().add('boats', 'a', held);
    const { end, clock, passing, reports } = await run(fake);
    const before = fake.log.length;
    await clock.advance(7999);
    assert.equal(fake.log.length, before);
    await clock.advance(1);
    await passing();
    assert.ok(fake.log.length > before);
    assert.deepEqual([passes(fake), reports], [1, []]);
    await end();
  });

  it('runs the next pass when the last remaining object is deleted', async () => {
    const fake = cluster().add('boats', 'a', held).add('boats', 'b', held);
    const { end, clock, passing } = await run(fake);
    fake.remove('boats', 'a');
    await passing();
    assert.notEqual(fake.namespace, undefined);
    fake.remove('boats', 'b');
    await passing();
    assert.deepEqual([fake.namespace, clock.waiting], [undefined, 0]);
    await end();
  });

  it('retries failures with backoff', async () => {
    const fake = cluster().add('boats', 'a');
    fake.intercept = (_, entry) =>
      entry === 'DELETE boats' ? failure(500, 'InternalError', 'the webhook is down') : undefined;
    const { end, clock, passing, reports } = await run(fake);
    await clock.advance(3_600_000);
    const tries = fake.log.filter((entry) => entry === 'DELETE boats').length;
    assert.ok(tries > 60 && tries < 90, String(tries));
    assert.equal(reports.length, tries);
    assert.match(String(reports[0]), /the webhook is down/);
    assert.equal(passes(fake), 1);

    fake.intercept = () => undefined;
    await clock.advance(60_000);
    await passing();
    assert.equal(fake.namespace, undefined);
    await end();
  });
});
