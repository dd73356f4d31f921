import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WritesInFlight } from './writes-in-flight.js';

describe('WritesInFlight', () => {
  it('has room for 200 writes, and tells when one has ended', async () => {
    let ended = 0;
    const writes = new WritesInFlight(
      (error) => assert.fail(String(error)),
      () => ended++,
    );
    const write = () => new Promise<void>((resolve) => setImmediate(resolve));
    const counted = Array.from({ length: 199 }, () => writes.counted(write));
    assert.ok(writes.hasRoom);
    counted.push(writes.counted(write));
    assert.ok(!writes.hasRoom);
    await Promise.all(counted);
    assert.ok(writes.hasRoom);
    assert.equal(ended, 200);
  });

  it('waits for the work that it keeps, and reports its failures', async () => {
    const failures: unknown[] = [];
    const writes = new WritesInFlight(
      (error) => failures.push(error),
      () => undefined,
    );
    let hasEnded = false;
    const failure = new Error('lost');
    const work = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      hasEnded = true;
    };
    writes.keep(work());
    writes.keep(Promise.reject(failure));
    await writes.settled();
    assert.ok(hasEnded);
    assert.deepEqual(failures, [failure]);
  });
});
