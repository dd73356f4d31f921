import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type Availability, failedDiscovery, PASSED } from './availability.js';
import { AvailabilityLoop } from './availability-loop.js';
import { serviceOf } from './backend.testing.js';

function looping(judge: () => Availability, services = [serviceOf()]) {
  const clock = new VirtualClock();
  const writes: string[] = [];
  const reported: unknown[] = [];
  const loop = new AvailabilityLoop({
    stores: { find: () => undefined },
    check: { judge: async () => judge() },
    writer: { setAvailability: async ({ name }, { reason }) => void writes.push(`${name} ${reason}`) },
    find: (name) => services.find((each) => each.name === name),
    all: () => services,
    clock,
    report: (error) => reported.push(error),
  });
  return { loop, clock, writes, reported };
}

describe('the loop that keeps the condition Available', () => {
  it('begins with the first APIService that has a backend, and checks it every half minute', async () => {
    const { loop, clock, writes } = looping(() => PASSED);
    await clock.advance(60_000);
    assert.deepEqual(writes, []);
    loop.changed('v1.example.com');
    await clock.advance(0);
    assert.deepEqual(writes, ['v1.example.com Passed']);
    await clock.advance(60_000);
    assert.equal(writes.length, 3);
    loop.stop();
    await clock.advance(60_000);
    assert.equal(writes.length, 3);
  });

  it('leaves APIServices alone that are gone, or that this server serves itself', async () => {
    const { loop, clock, writes } = looping(() => PASSED, [serviceOf({ name: 'own', backend: undefined })]);
    for (const name of ['gone', 'own']) loop.changed(name);
    await clock.advance(60_000);
    assert.deepEqual(writes, []);
  });

  it('checks a failed backend soon, and reports no failure of it', async () => {
    const answers = [failedDiscovery('silence'), failedDiscovery('silence'), PASSED];
    const { loop, clock, writes, reported } = looping(() => answers.shift() ?? PASSED);
    loop.changed('v1.example.com');
    await clock.advance(5000);
    assert.deepEqual(writes, [
      'v1.example.com FailedDiscoveryCheck',
      'v1.example.com FailedDiscoveryCheck',
      'v1.example.com Passed',
    ]);
    assert.deepEqual(reported, []);
  });

  it('reports failures of its own', async () => {
    const { loop, clock, reported } = looping(() => {
      throw new Error('the store is gone');
    });
    loop.changed('v1.example.com');
    await clock.advance(0);
    assert.match(String(reported[0]), /the store is gone/);
    loop.stop();
  });
});
