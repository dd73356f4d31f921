import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { DesiredService } from './auto-registration.js';
import { serviceOf } from './backend.testing.js';
import { type RegisteredService, serviceName } from './registered-service.js';
import { RegistrationLoop, type ServingDefinition } from './registration-loop.js';

const batch: DesiredService = {
  group: 'batch',
  version: 'v1',
  groupPriority: 1,
  versionPriority: 1,
  managed: 'onstart',
};
const own = (name: string, changes: Partial<RegisteredService> = {}): RegisteredService =>
  serviceOf({ name, backend: undefined, managed: 'true', ...changes });
const definition = (served: boolean): ServingDefinition => ({
  group: 'example.com',
  versions: [{ name: 'v1', served }],
});

/** A loop over these APIServices, which change as the loop writes. */
function looping(stored: readonly RegisteredService[], definitions: ServingDefinition[] = []) {
  const services = new Map(stored.map((service) => [service.name, service]));
  const writes: string[] = [];
  const reported: unknown[] = [];
  let notify = (_: readonly ServingDefinition[]): void => undefined;
  let failures = 0;
  const clock = new VirtualClock();
  const loop = new RegistrationLoop({
    desired: [batch],
    custom: { definitions, subscribe: (listener) => (notify = listener) },
    writer: {
      create: async (desired) => {
        if (failures-- > 0) throw new Error('full');
        const name = serviceName(desired);
        services.set(name, own(name, desired));
        writes.push(`create ${name} ${desired.managed}`);
      },
      correct: async ({ name }, desired) => {
        services.set(name, own(name, desired));
        writes.push(`correct ${name}`);
      },
      delete: async ({ name }) => {
        services.delete(name);
        writes.push(`delete ${name}`);
      },
    },
    find: (name) => services.get(name),
    all: () => services.values(),
    clock,
    report: (error) => reported.push(error),
  });
  const fail = (): void => void (failures = 1);
  return { loop, services, writes, reported, clock, fail, changed: (...given: ServingDefinition[]) => notify(given) };
}

describe('the loop that registers APIServices', () => {
  it('does nothing before its start', async () => {
    const { loop, clock, writes } = looping([]);
    loop.changed('v1.batch');
    await clock.advance(0);
    assert.deepEqual(writes, []);
  });

  it('creates those of built-in groups and of served definitions', async () => {
    const { loop, clock, writes } = looping([], [definition(true)]);
    loop.start();
    await clock.advance(0);
    assert.deepEqual(writes, ['create v1.batch onstart', 'create v1.example.com true']);
  });

  it('deletes those that it once made and that are served no more', async () => {
    const { loop, clock, writes } = looping([
      own('v1.batch', { group: 'batch', groupPriority: 1, versionPriority: 1, managed: 'onstart' }),
      own('v1.old.example.com'),
      own('v1.foreign', { managed: undefined }),
    ]);
    loop.start();
    await clock.advance(0);
    assert.deepEqual(writes, ['delete v1.old.example.com']);
  });

  it('follows definitions', async () => {
    const definitions = [definition(false)];
    const { loop, clock, writes, changed } = looping([], definitions);
    loop.start();
    await clock.advance(0);
    definitions[0] = definition(true);
    changed(definition(false), definition(true));
    await clock.advance(0);
    definitions.length = 0;
    changed(definition(true));
    await clock.advance(0);
    assert.deepEqual(writes, ['create v1.batch onstart', 'create v1.example.com true', 'delete v1.example.com']);
  });

  it('corrects one that a client has changed, and creates one that a client has deleted', async () => {
    const { loop, clock, writes, services } = looping(
      [own('v1.example.com', { versionPriority: 1 })],
      [definition(true)],
    );
    loop.start();
    await clock.advance(0);
    services.delete('v1.example.com');
    loop.changed('v1.example.com');
    loop.changed('v1.batch');
    await clock.advance(0);
    assert.deepEqual(writes, ['create v1.batch onstart', 'correct v1.example.com', 'create v1.example.com true']);
  });

  it('tries again after a failure, which it reports', async () => {
    const { loop, clock, writes, reported, fail } = looping([]);
    fail();
    loop.start();
    await clock.advance(0);
    assert.deepEqual([writes, reported.length], [[], 1]);
    await clock.advance(1000);
    assert.deepEqual(writes, ['create v1.batch onstart']);
  });

  it('writes nothing once it is stopped', async () => {
    const { loop, clock, writes } = looping([]);
    loop.start();
    loop.stop();
    await clock.advance(0);
    writes.length = 0;
    loop.changed('v1.batch');
    await clock.advance(1000);
    assert.deepEqual(writes, []);
  });
});
