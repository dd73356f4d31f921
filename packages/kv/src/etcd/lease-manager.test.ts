import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { LeaseManager } from './lease-manager.js';

describe('lease manager', () => {
  let clock = new VirtualClock();
  let granted: number[] = [];
  const grant = async (seconds: number): Promise<bigint> => {
    granted.push(seconds);
    return BigInt(granted.length);
  };
  const open = (maxObjects = 1000): LeaseManager => new LeaseManager({ grant, clock, reuseSeconds: 60, maxObjects });
  beforeEach(() => {
    clock = new VirtualClock();
    granted = [];
  });

  it('shares one slightly longer lease among writes of the same TTL', async () => {
    const leases = open();
    assert.deepEqual(await Promise.all([leases.lease(3600), leases.lease(3600)]), [1n, 1n]);
    clock.skip(59_000);
    assert.equal(await leases.lease(3600), 1n);
    clock.skip(1000);
    assert.equal(await leases.lease(3600), 2n, 'a lease must not end too early');
    assert.deepEqual(granted, [3660, 3660]);
  });

  it('extends a short TTL by at most a twentieth', async () => {
    const leases = open();
    assert.equal(await leases.lease(100), 1n);
    assert.equal(await leases.lease(200), 2n);
    assert.equal(await leases.lease(100), 3n, 'a lease must not end too late');
    assert.equal(await leases.lease(1), 4n);
    assert.equal(await leases.lease(0.01), 5n);
    assert.deepEqual(granted, [105, 210, 105, 1, 1]);
  });

  it('limits the writes of one lease', async () => {
    const leases = open(3);
    const ids = [];
    for (let count = 0; count < 7; count += 1) ids.push(await leases.lease(3600));
    assert.deepEqual(ids, [1n, 1n, 1n, 2n, 2n, 2n, 3n]);
  });

  it('requests a new lease after a failure, and when the current one is gone', async () => {
    let fail = true;
    const leases = new LeaseManager({
      grant: async (seconds) => {
        if (fail) throw new Error('no');
        return grant(seconds);
      },
      clock,
      reuseSeconds: 60,
      maxObjects: 10,
    });
    await assert.rejects(leases.lease(3600), /no/);
    fail = false;
    assert.equal(await leases.lease(3600), 1n);
    leases.forget();
    assert.equal(await leases.lease(3600), 2n);
  });

  it('needs no lease beyond the longest TTL', async () => {
    const leases = open();
    assert.equal(await leases.lease(Number.POSITIVE_INFINITY), undefined);
    assert.equal(await leases.lease(1e10), undefined);
    assert.deepEqual(granted, []);
  });
});
