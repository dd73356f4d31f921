import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ServerLease } from './server-lease.js';

/** Servers that share a store, and the endpoints that they keep. */
function cluster() {
  const clock = new VirtualClock();
  const kv = openMemoryKV({ clock });
  const shared = { endpoints: [] as readonly string[], errors: [] as unknown[] };
  const join = (address: string) =>
    new ServerLease({
      kv,
      storagePrefix: '/registry/',
      address,
      clock,
      reconcile: async (addresses) => void (shared.endpoints = addresses),
      report: (error) => shared.errors.push(error),
    });
  return { clock, kv, shared, join };
}

// Upstream's table is in `pkg/controlplane/reconcilers/lease_test.go`.
describe('ServerLease', () => {
  it('lists the servers that share a store', async () => {
    const { clock, kv, shared, join } = cluster();
    const [one] = [join('192.0.2.1'), join('192.0.2.2')];
    await clock.advance(10_000);
    assert.deepEqual(shared.endpoints, ['192.0.2.1', '192.0.2.2']);
    const [stored] = (await kv.range({ prefix: '/registry/masterleases/192.0.2.1', exact: true })).items;
    assert.deepEqual(JSON.parse(Buffer.from(stored?.value ?? []).toString()), {
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: {},
      subsets: [{ addresses: [{ ip: '192.0.2.1' }] }],
    });
    await one?.stop();
    assert.deepEqual(shared.endpoints, ['192.0.2.2']);
    assert.deepEqual(shared.errors, []);
  });

  it('forgets a server that has died', async () => {
    const { clock, kv, shared, join } = cluster();
    const key = '/registry/masterleases/192.0.2.9';
    await kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.from('{}'), ttlSeconds: 15 } });
    join('192.0.2.1');
    await settle();
    assert.deepEqual(shared.endpoints, ['192.0.2.1', '192.0.2.9']);
    for (let seconds = 0; seconds < 40; seconds += 10) await clock.advance(10_000);
    assert.deepEqual(shared.endpoints, ['192.0.2.1']);
  });

  it('leaves the address of the last server, and stops once', async () => {
    const { shared, join } = cluster();
    const only = join('192.0.2.1');
    await settle();
    await Promise.all([only.stop(), only.stop()]);
    assert.deepEqual(shared.endpoints, ['192.0.2.1']);
  });

  it('stops in time when the store does not answer', async () => {
    const clock = new VirtualClock();
    const never = () => new Promise<never>(() => undefined);
    const kv = { range: never, txn: never };
    const parts = { reconcile: never, report: () => undefined };
    const lease = new ServerLease({ kv, storagePrefix: '/', address: '192.0.2.1', clock, ...parts });
    const stopped = lease.stop();
    await clock.advance(2000);
    await stopped;
  });
});
