import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CronJob, type CronJobSpec, Job } from '@binnacle/client/kinds/batch/v1';
import * as fc from 'fast-check';
import { Simulation, type SimulationOptions, randomRuns } from '../testing/index.js';

const HOUR = 3_600_000;

async function start(options: Partial<SimulationOptions> = {}): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers: 'cronjob-controller', ...options });
  await simulation.advance(1000);
  simulation.log.clear();
  return simulation;
}

async function createCronJob({ client }: Simulation, spec: Partial<CronJobSpec>): Promise<void> {
  const template = {
    spec: {
      restartPolicy: 'Never' as const,
      containers: [{ name: 'c', image: 'img' }],
      automountServiceAccountToken: false,
    },
  };
  await client
    .resource(CronJob)
    .namespace('default')
    .create({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'tick' },
      spec: { schedule: '0 * * * *', jobTemplate: { spec: { template } }, ...spec },
    });
}

async function jobsIn({ client }: Simulation): Promise<readonly Job[]> {
  return (await client.resource(Job).list()).items;
}

async function startsOf(simulation: Simulation): Promise<string[]> {
  const annotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
  return (await jobsIn(simulation)).map(({ metadata }) => metadata.annotations?.[annotation] ?? '').sort();
}

async function complete(simulation: Simulation): Promise<void> {
  for (const job of await jobsIn(simulation)) {
    if (job.status?.completionTime !== undefined) continue;
    const time = new Date(simulation.clock.now()).toISOString().replace(/\.\d+/, '');
    const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: time });
    const conditions = [condition('SuccessCriteriaMet'), condition('Complete')];
    const status = { startTime: time, completionTime: time, conditions, succeeded: 1, uncountedTerminatedPods: {} };
    await simulation.client
      .resource(Job)
      .namespace('default')
      .status.update({ ...job, status });
  }
}

describe('the loop of CronJobs', () => {
  it('takes two requests and an event for each run', async () => {
    await using simulation = await start();
    await createCronJob(simulation, {});
    await simulation.advance(3 * HOUR);
    assert.deepEqual(await startsOf(simulation), [
      '2027-01-04T01:00:00Z',
      '2027-01-04T02:00:00Z',
      '2027-01-04T03:00:00Z',
    ]);
    assert.deepEqual(simulation.log.counts(), { 'create events': 3, 'create jobs': 3, 'update cronjobs/status': 3 });
    assert.deepEqual(simulation.reports, []);
  });

  it('runs the Jobs of a day of hours and keeps the last three', async () => {
    const controllers = 'cronjob-controller,job-controller,serviceaccount-controller';
    const behaviour = { outcome: () => ({ after: 3000, exitCode: 0 }) };
    await using simulation = await start({ controllers, nodes: 1, behaviour });
    await createCronJob(simulation, {});
    await simulation.advance(24 * HOUR + 60_000);
    assert.equal(simulation.log.counts()['create jobs'], 24);
    assert.deepEqual(await startsOf(simulation), [
      '2027-01-04T22:00:00Z',
      '2027-01-04T23:00:00Z',
      '2027-01-05T00:00:00Z',
    ]);
  });

  it('keeps as many finished Jobs as it should', async () => {
    await using simulation = await start();
    await createCronJob(simulation, { successfulJobsHistoryLimit: 2 });
    for (let hour = 0; hour < 5; hour++) {
      await simulation.advance(HOUR);
      await complete(simulation);
    }
    await simulation.advance(60_000);
    assert.deepEqual(await startsOf(simulation), ['2027-01-04T04:00:00Z', '2027-01-04T05:00:00Z']);
  });

  it('does not make up for runs of a new schedule', async () => {
    await using simulation = await start();
    await createCronJob(simulation, { schedule: '0 0 1 1 *' });
    await simulation.advance(10 * HOUR + 600_000);
    const cronJobs = simulation.client.resource(CronJob).namespace('default');
    await cronJobs.patch('tick', { type: 'merge', body: { spec: { schedule: '0 * * * *' } } });
    await simulation.advance(1000);
    assert.deepEqual(await startsOf(simulation), []);
    await simulation.advance(HOUR);
    assert.deepEqual(await startsOf(simulation), ['2027-01-04T11:00:00Z']);
  });

  it('creates one Job for each run, with stale caches, restarts and failures', async () => {
    const share = fc.constantFrom(0, 0.2);
    const anyFaults = fc.record({
      watchDelay: fc.constantFrom(0, 5000),
      conflicts: share,
      failedWrites: share,
      lostAnswers: share,
      restartAfterWrites: fc.boolean(),
    });
    const anyPolicy = fc.constantFrom('Allow' as const, 'Forbid' as const, 'Replace' as const);
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyFaults, anyPolicy, async (seed, faults, concurrencyPolicy) => {
        // A skipped run is an event and no other write, so a restart after each event would report it forever.
        const restartAfterWrites = faults.restartAfterWrites && concurrencyPolicy !== 'Forbid';
        await using simulation = await start({ seed, faults: { ...faults, restartAfterWrites } });
        await createCronJob(simulation, { schedule: '*/5 * * * *', concurrencyPolicy });
        await simulation.advance(15 * 60_000);
        simulation.faults = {};
        await simulation.advance(5 * 60_000);
        const starts = await startsOf(simulation);
        const expected = {
          Allow: [1, 2, 3, 4],
          Forbid: [1],
          Replace: [4],
        }[concurrencyPolicy].map((run) => `2027-01-04T00:${String(run * 5).padStart(2, '0')}:00Z`);
        assert.deepEqual(starts, expected);
        const { status } = await simulation.client.resource(CronJob).namespace('default').get('tick');
        const uids = (await jobsIn(simulation)).map(({ metadata }) => metadata.uid ?? '').toSorted();
        assert.deepEqual(status?.active?.map(({ uid = '' }) => uid).toSorted(), uids);
      }),
      randomRuns(2),
    );
  });
});
