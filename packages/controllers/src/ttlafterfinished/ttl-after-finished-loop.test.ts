import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Job } from '@binnacle/client/kinds/batch/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

/** A Job that ends at once, since it needs no completions. */
async function createJob({ client }: Simulation, ttlSecondsAfterFinished: number): Promise<void> {
  const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'img' }] } };
  await client
    .resource(Job)
    .namespace('default')
    .create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work' },
      spec: { completions: 0, ttlSecondsAfterFinished, template },
    });
}

async function jobsIn({ client }: Simulation): Promise<number> {
  return (await client.resource(Job).list()).items.length;
}

const controllers = 'ttl-after-finished-controller,job-controller,garbage-collector-controller';
const deletions = ({ log }: Simulation) =>
  log.all.filter(
    ({ resource, verb, user }) => resource === 'jobs' && ['get', 'delete'].includes(verb) && user.includes('ttl'),
  );

describe('the loop of the time to live', () => {
  it('reads and deletes a Job when its time is over', async () => {
    await using simulation = await Simulation.start({ controllers });
    await createJob(simulation, 100);
    await simulation.advance(99_000);
    assert.deepEqual([await jobsIn(simulation), deletions(simulation).length], [1, 0]);
    await simulation.advance(10_000);
    assert.deepEqual(
      deletions(simulation).map(({ verb }) => verb),
      ['get', 'delete'],
    );
    assert.equal(await jobsIn(simulation), 0);
  });

  it('leaves a Job whose time was prolonged, with a stale cache', async () => {
    await using simulation = await Simulation.start({ controllers, faults: { watchDelay: 5000 } });
    await createJob(simulation, 100);
    await simulation.advance(99_000);
    const body = { spec: { ttlSecondsAfterFinished: 200 } };
    await simulation.client.resource(Job).namespace('default').patch('work', { type: 'merge', body });
    await simulation.advance(60_000);
    assert.equal(await jobsIn(simulation), 1);
    await simulation.advance(120_000);
    assert.equal(await jobsIn(simulation), 0);
  });

  for (const faults of [{ restartAfterWrites: true }, { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3 }]) {
    it(`deletes a Job with ${Object.keys(faults).join(', ')}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      await createJob(simulation, 10);
      await simulation.advance(600_000);
      assert.equal(await jobsIn(simulation), 0);
    });
  }
});
