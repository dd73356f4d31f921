import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Job, type JobSpec, type JobStatus } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { Simulation, type SimulationOptions, randomRuns } from '../testing/index.js';
import { TRACKING_FINALIZER } from './job-pods.js';

const controllers = 'job-controller,serviceaccount-controller';

/** A server with a loop of Jobs, and a log that begins after its start. */
async function start(options: Partial<SimulationOptions> = {}): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers, nodes: 2, ...options });
  await simulation.advance(1000);
  simulation.log.clear();
  return simulation;
}

async function createJob({ client }: Simulation, spec: Partial<JobSpec>): Promise<void> {
  const template = {
    spec: {
      restartPolicy: 'Never' as const,
      containers: [{ name: 'c', image: 'img' }],
      automountServiceAccountToken: false,
    },
  };
  await client
    .resource(Job)
    .namespace('default')
    .create({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'work' }, spec: { template, ...spec } });
}

async function statusOf({ client }: Simulation): Promise<JobStatus> {
  return (await client.resource(Job).namespace('default').get('work')).status ?? {};
}

async function podsIn({ client }: Simulation): Promise<readonly Pod[]> {
  return (await client.resource(Pod).list()).items;
}

function outcomeOf({ conditions = [] }: JobStatus): string | undefined {
  return conditions.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')?.type;
}

const succeeds = { readyAfter: 300, outcome: () => ({ after: 3000, exitCode: 0 }) };
const fails = { readyAfter: 1000, outcome: () => ({ after: 3000, exitCode: 1 }) };

describe('the loop of Jobs', () => {
  it('takes one request to create a pod, one to release it, and few for all of them', async () => {
    await using simulation = await start({ behaviour: succeeds });
    await createJob(simulation, { completions: 6, parallelism: 6 });
    await simulation.settle();
    // The status says: pods at work, ready, uncounted, complete.
    assert.deepEqual(simulation.log.counts(), {
      'create events': 7,
      'create pods': 6,
      'patch pods': 6,
      'update jobs/status': 4,
    });
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.deepEqual(simulation.log.counts(), {});
    const { succeeded, conditions, uncountedTerminatedPods } = await statusOf(simulation);
    assert.deepEqual([succeeded, uncountedTerminatedPods], [6, {}]);
    assert.deepEqual(
      conditions?.map(({ type }) => type),
      ['SuccessCriteriaMet', 'Complete'],
    );
    assert.deepEqual(simulation.reports, []);
  });

  it('waits twice as long after each failure, and gives up at the limit', async () => {
    await using simulation = await start({ behaviour: fails });
    await createJob(simulation, { backoffLimit: 3 });
    await simulation.settle();
    const created = simulation.log.writes.filter(({ verb, resource }) => verb === 'create' && resource === 'pods');
    const pauses = created.slice(1).map(({ at }, index) => Math.round((at - (created[index]?.at ?? 0)) / 1000));
    // A pod takes 4 s to fail. The back-off counts from its end.
    assert.deepEqual(pauses, [14, 24, 44]);
    const { failed, conditions } = await statusOf(simulation);
    assert.equal(failed, 4);
    assert.equal(conditions?.at(-1)?.reason, 'BackoffLimitExceeded');
  });

  it('ends at its deadline, and again after a resumption', async () => {
    await using simulation = await start();
    await createJob(simulation, { activeDeadlineSeconds: 100 });
    await simulation.advance(60_000);
    const jobs = simulation.client.resource(Job).namespace('default');
    await jobs.patch('work', { type: 'merge', body: { spec: { suspend: true } } });
    await simulation.advance(60_000);
    assert.deepEqual([await podsIn(simulation), (await statusOf(simulation)).failed], [[], undefined]);
    await jobs.patch('work', { type: 'merge', body: { spec: { suspend: false } } });
    await simulation.advance(90_000);
    assert.equal(outcomeOf(await statusOf(simulation)), undefined);
    await simulation.advance(20_000);
    assert.equal(outcomeOf(await statusOf(simulation)), 'Failed');
  });

  it('releases the pods of a Job that is deleted', async () => {
    await using simulation = await start();
    await createJob(simulation, { completions: 3, parallelism: 3 });
    await simulation.settle();
    await simulation.client.resource(Job).namespace('default').delete('work', { propagationPolicy: 'Background' });
    await simulation.settle();
    const tracked = (await podsIn(simulation)).filter(({ metadata }) =>
      metadata.finalizers?.includes(TRACKING_FINALIZER),
    );
    assert.deepEqual(tracked, []);
  });

  it('counts each pod once and stays within its parallelism, with stale caches, restarts and failures', async () => {
    const share = fc.constantFrom(0, 0.2);
    const anyFaults = fc.record({
      watchDelay: fc.constantFrom(0, 5000),
      conflicts: share,
      failedWrites: share,
      restartAfterWrites: fc.boolean(),
    });
    const anySpec = fc.record({
      completions: fc.integer({ min: 1, max: 4 }),
      parallelism: fc.integer({ min: 1, max: 3 }),
      completionMode: fc.constantFrom('Indexed' as const, 'NonIndexed' as const),
      backoffLimit: fc.constantFrom(1, 6),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyFaults, anySpec, fc.nat(3), async (seed, faults, spec, failures) => {
        let left = failures;
        const ends = new Map<string, number>();
        const exitCodeOf = ({ metadata: { uid = '' } }: Pod): number => {
          const exitCode = ends.get(uid) ?? (left-- > 0 ? 1 : 0);
          ends.set(uid, exitCode);
          return exitCode;
        };
        const behaviour = { outcome: (pod: Pod) => ({ after: 3000, exitCode: exitCodeOf(pod) }) };
        const check = async (client: Simulation['client']) => {
          const pods = (await client.resource(Pod).list()).items;
          const active = pods.filter(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running');
          assert.ok(active.length <= spec.parallelism, `${active.length} pods are active`);
        };
        await using simulation = await start({ seed, faults, behaviour, check });
        await createJob(simulation, spec);
        await simulation.advance(120_000);
        simulation.faults = {};
        await simulation.settle();
        const status = await statusOf(simulation);
        const phases = (await podsIn(simulation)).map((pod) => pod.status?.phase);
        const count = (phase: string) => phases.filter((each) => each === phase).length;
        assert.deepEqual([status.succeeded ?? 0, status.failed ?? 0], [count('Succeeded'), count('Failed')]);
        assert.equal(outcomeOf(status), failures > spec.backoffLimit ? 'Failed' : 'Complete');
        if (failures <= spec.backoffLimit) assert.equal(status.succeeded, spec.completions);
        simulation.log.clear();
        await simulation.advance(600_000);
        assert.deepEqual(simulation.log.counts(simulation.log.writes), {});
      }),
      randomRuns(2),
    );
  });
});
