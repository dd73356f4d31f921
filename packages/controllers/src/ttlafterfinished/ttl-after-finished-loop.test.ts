import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Job } from '@binnacle/client/kinds/batch/v1';
import * as fc from 'fast-check';
import { finishedCondition } from '../common/index.js';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'ttl-after-finished-controller,job-controller,garbage-collector-controller';
const jobsOf = ({ client }: Simulation) => client.resource(Job).namespace('default');

/** A Job that ends at once, since it needs no completions. */
async function createJob(simulation: Simulation, ttl: number | undefined, name = 'work'): Promise<void> {
  const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'img' }] } };
  const time = ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl };
  await jobsOf(simulation).create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { completions: 0, template, ...time },
  });
}

async function setTtl(simulation: Simulation, name: string, ttl: number | null): Promise<void> {
  const body = { spec: { ttlSecondsAfterFinished: ttl } };
  await jobsOf(simulation).patch(name, { type: 'merge', body });
}

const names = async (simulation: Simulation) =>
  (await jobsOf(simulation).list()).items.map(({ metadata: { name = '' } }) => name);

const deletions = ({ log }: Simulation) =>
  log.all
    .filter(
      ({ resource, verb, user }) => resource === 'jobs' && ['get', 'delete'].includes(verb) && user.includes('ttl'),
    )
    .map(({ verb }) => verb);

describe('the loop of the time to live', () => {
  for (const [what, faults] of faultCases) {
    it(`reads and deletes a Job when its time is over, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await createJob(simulation, 1000);
      await simulation.advance(999_000);
      assert.deepEqual([await names(simulation), deletions(simulation)], [['work'], []]);
      await simulation.advance(600_000);
      assert.deepEqual(await names(simulation), []);
      if (isFaultless(faults)) assert.deepEqual(deletions(simulation), ['get', 'delete']);
    });
  }

  it('leaves a Job whose time was prolonged, with a stale cache', async () => {
    await using simulation = await Simulation.start({ controllers, faults: { watchDelay: 5000 } });
    await createJob(simulation, 100);
    await simulation.advance(99_000);
    await setTtl(simulation, 'work', 200);
    await simulation.advance(60_000);
    assert.deepEqual(await names(simulation), ['work']);
    await simulation.advance(120_000);
    assert.deepEqual(await names(simulation), []);
  });

  it('deletes no Job before its time, and each one after it, through any history', () =>
    playHistories({
      controllers: 'ttl-after-finished-controller,job-controller',
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('create', 'create', 'set', 'delete'),
        name: fc.constantFrom('a', 'b'),
        ttl: fc.constantFrom(undefined, 0, 10, 60),
      }),
      begin: async (simulation) => {
        await simulation.advance(1000);
        const times = new Map<string, number | undefined>();
        return {
          act: async ({ act, name, ttl }) => {
            const { items } = await jobsOf(simulation).list();
            let latest = items.find(({ metadata }) => metadata.name === name);
            if (latest?.metadata.deletionTimestamp !== undefined) {
              // In place of the garbage collector, which would take most of the time of the test.
              await jobsOf(simulation).patch(name, { type: 'merge', body: { metadata: { finalizers: null } } });
              latest = undefined;
            }
            if (act === 'create' && latest === undefined) {
              times.set(name, ttl);
              await createJob(simulation, ttl, name);
            } else if (act === 'set' && latest !== undefined) {
              times.set(name, ttl);
              await setTtl(simulation, name, ttl ?? null);
            } else if (act === 'delete' && latest !== undefined) {
              times.delete(name);
              await jobsOf(simulation).delete(name, { propagationPolicy: 'Foreground' });
            }
          },
          check: async (direct, { verb, resource, name }) => {
            if (verb !== 'delete' || resource !== 'jobs') return;
            const job = await direct.resource(Job).namespace('default').get(name);
            const finishedAt = Date.parse(finishedCondition(job)?.lastTransitionTime ?? '');
            const ttl = times.get(name) ?? Infinity;
            assert.ok(finishedAt + ttl * 1000 <= simulation.clock.now(), `${name} is deleted early`);
          },
          settled: async () => {
            await simulation.advance(600_000);
            const left = [...times].filter(([, ttl]) => ttl === undefined).map(([name]) => name);
            const { items } = await jobsOf(simulation).list();
            const present = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
            assert.deepEqual(
              present.map(({ metadata }) => metadata.name),
              left.sort(),
            );
          },
        };
      },
    }));
});
