import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@binnacle/apimachinery/status';
import { ConfigMap, Pod, ResourceQuota, Service } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import {
  finishPod,
  removePod,
  Simulation,
  type SimulationFaults,
  type SimulationOptions,
  randomRuns,
} from '../testing/index.js';

const CONTROLLERS = 'resourcequota-controller,serviceaccount-controller';

async function start(hard: Readonly<Record<string, string>>, options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, ...options });
  await simulation.settle();
  const quotas = simulation.client.resource(ResourceQuota).namespace('default');
  await quotas.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } });
  const writes = () => simulation.log.writes.filter(({ resource }) => resource === 'resourcequotas/status').length;
  return { simulation, quotas, used: async () => (await quotas.get('q')).status?.used, writes };
}

async function createPod({ client }: Simulation, name: string): Promise<void> {
  const resources = { requests: { cpu: '100m' } };
  const spec = { schedulerName: 'none', containers: [{ name: 'c', image: 'img', resources }] };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
  await client.resource(Pod).namespace('default').create(pod);
}

describe('the loop of quotas', () => {
  it('gives back what is freed, with one write each, and then writes nothing', async () => {
    const { simulation, used, writes } = await start({ pods: '5', 'requests.cpu': '1', 'count/configmaps': '9' });
    await using _ = simulation;
    await simulation.advance(1000);
    assert.deepEqual(await used(), { 'count/configmaps': '0', pods: '0', 'requests.cpu': '0' });
    assert.equal(writes(), 1);
    for (const name of ['a', 'b', 'c']) await createPod(simulation, name);
    const configMaps = simulation.client.resource(ConfigMap).namespace('default');
    await configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    await simulation.advance(1000);
    assert.deepEqual(await used(), { 'count/configmaps': '1', pods: '3', 'requests.cpu': '300m' });
    assert.equal(writes(), 1);
    const pods = simulation.client.resource(Pod).namespace('default');
    await finishPod(simulation, await pods.get('a'), 0);
    await simulation.advance(1000);
    await removePod(simulation, await pods.get('b'));
    await simulation.advance(1000);
    await configMaps.delete('x');
    await simulation.advance(1000);
    assert.deepEqual(await used(), { 'count/configmaps': '0', pods: '1', 'requests.cpu': '100m' });
    assert.equal(writes(), 4);
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.deepEqual(simulation.log.counts(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('gives back what is deleted before its caches show its last write', async () => {
    const { simulation, used } = await start({ services: '9' });
    await using _ = simulation;
    await simulation.advance(1000);
    simulation.faults = { watchDelay: 200 };
    const services = simulation.client.resource(Service).namespace('default');
    for (const name of ['a', 'b']) {
      await services.create({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } });
    }
    await simulation.advance(1000);
    // That of the API server counts too.
    assert.deepEqual(await used(), { services: '3' });
    await services.delete('a');
    await simulation.advance(1);
    await services.delete('b');
    await simulation.advance(5000);
    assert.deepEqual(await used(), { services: '1' });
  });

  it('counts quotas in the cache that has shown them, which no other one can be behind', async () => {
    const { simulation, used } = await start({ resourcequotas: '2' });
    await using _ = simulation;
    await simulation.advance(1000);
    assert.deepEqual(await used(), { resourcequotas: '1' });
    const watches = simulation.log.all.filter(
      ({ verb, resource }) => verb === 'watch' && resource === 'resourcequotas',
    );
    assert.equal(watches.length, 1);
  });

  it('waits for a kind that is not served, and counts the others', async () => {
    const { simulation, quotas, used } = await start({ pods: '1', 'count/widgets.a.example': '1' });
    await using _ = simulation;
    await simulation.advance(1000);
    assert.deepEqual(await used(), { pods: '0' });
    await quotas.patch('q', {
      type: 'merge',
      body: { spec: { hard: { 'count/widgets.a.example': null, secrets: '3' } } },
    });
    await simulation.advance(1000);
    assert.deepEqual(await used(), { pods: '0', secrets: '0' });
    assert.deepEqual(simulation.reports, []);
  });
});

const LIMIT = 3;

describe('a quota is kept', () => {
  const FAULTS: readonly SimulationFaults[] = [
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.2, lostAnswers: 0.2, watchDelay: 200 },
    { brokenWatches: 0.2, expiredWatches: 0.2 },
  ];
  const steps = fc.array(fc.tuple(fc.constantFrom('create', 'finish', 'remove'), fc.constantFrom(0, 500, 20_000)), {
    minLength: 8,
    maxLength: 16,
  });
  for (const faults of FAULTS) {
    it(`with ${Object.keys(faults).join(', ')}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), steps, async (seed, acts) => play(seed, acts, faults)),
        randomRuns(1),
      );
    });
  }
});

/** No act exceeds the quota. After a pause that is longer than all delays, the usage is right, and as many pods as the limit allows can be created. */
async function play(
  seed: number,
  acts: readonly (readonly [string, number])[],
  faults: SimulationFaults,
): Promise<void> {
  const { simulation, used } = await start({ pods: String(LIMIT) }, { seed });
  await using _ = simulation;
  await simulation.advance(1000);
  simulation.faults = faults;
  const pods = simulation.client.resource(Pod).namespace('default');
  const active = async () => (await pods.list()).items.filter(({ status }) => status?.phase === 'Pending');
  for (const [index, [act, pause]] of acts.entries()) {
    const [first] = await active();
    if (act === 'create') await createPod(simulation, `pod-${index}`).catch(ignoreRefusal);
    else if (first !== undefined)
      await (act === 'finish' ? finishPod(simulation, first, 0) : removePod(simulation, first));
    await simulation.advance(pause);
    const { length } = await active();
    assert.ok(length <= LIMIT, `${length} pods`);
  }
  simulation.faults = {};
  await simulation.advance(400_000);
  const { length } = await active();
  assert.deepEqual(await used(), { pods: String(length) });
  for (let index = 0; index <= LIMIT; index++) await createPod(simulation, `last-${index}`).catch(ignoreRefusal);
  assert.equal((await active()).length, LIMIT);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StatusError) || error.code !== 403) throw error;
}
