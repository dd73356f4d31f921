import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Deployment } from '@binnacle/client/kinds/apps/v1';
import { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import { Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';

const CONTROLLERS =
  'horizontal-pod-autoscaler-controller,deployment-controller,replicaset-controller,serviceaccount-controller';
const LABELS = { app: 'web' };
const METRICS = { group: 'metrics.k8s.io', version: 'v1beta1', resource: 'pods' };
const PERIOD = 15_000;
const [MIN, MAX] = [2, 8];

const DEFINITIONS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
/** A kind in the place of the API of resource metrics. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pods.metrics.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } },
  spec: {
    group: METRICS.group,
    names: { plural: 'pods', kind: 'PodMetrics', listKind: 'PodMetricsList', singular: 'podmetrics' },
    scope: 'Namespaced',
    versions: [
      {
        name: METRICS.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

async function start(spec: Partial<HorizontalPodAutoscaler['spec']> = {}, options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, nodes: 1, ...options });
  const { client } = simulation;
  await client.resource(DEFINITIONS).create(definition);
  await simulation.settle();
  const requests = { cpu: '1' };
  const template = {
    metadata: { labels: LABELS },
    spec: { containers: [{ name: 'c', image: 'img', resources: { requests } }] },
  };
  const deployments = client.resource(Deployment).namespace('default');
  await deployments.create({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: MIN, selector: { matchLabels: LABELS }, template },
  });
  await simulation.settle();
  const target = { type: 'Utilization', averageUtilization: 50 };
  const autoscalers = client.resource(HorizontalPodAutoscaler).namespace('default');
  await autoscalers.create({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: MIN,
      maxReplicas: MAX,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      ...spec,
    },
  });
  const replicas = async () => (await deployments.get('web')).spec?.replicas;
  const status = async () => (await autoscalers.get('web')).status;
  return { simulation, replicas, status, load: (cpu: string) => setLoad(simulation, cpu) };
}

/** All pods use this much, in total. */
async function setLoad({ client, clock }: Simulation, cpu: string): Promise<void> {
  const metrics = client.resource(METRICS).namespace('default');
  const pods = (await client.resource(Pod).namespace('default').list()).items;
  const timestamp = new Date(clock.now()).toISOString().replace(/\.\d+/, '');
  for (const { metadata } of (await metrics.list()).items) await metrics.delete(metadata.name ?? '');
  for (const { metadata } of pods) {
    const usage: JsonObject = { cpu: `${Math.round((Number(cpu) * 1000) / pods.length)}m` };
    const containers = [{ name: 'c', usage }];
    const { name = '', labels = {} } = metadata;
    const named = {
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: { name, labels: { ...labels } },
    };
    await metrics.create({ ...named, timestamp, window: '30s', containers });
  }
}

/** The load follows the pods for this long. */
async function run(simulation: Simulation, cpu: string, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 2 * PERIOD) {
    await setLoad(simulation, cpu);
    await simulation.advance(2 * PERIOD);
  }
}

/** Pods count at once, and targets shrink after a minute. */
const QUICK = {
  horizontalPodAutoscalerCpuInitializationPeriodMs: 0,
  horizontalPodAutoscalerDownscaleStabilizationMs: 60_000,
};

describe('the loop of autoscalers', () => {
  it('follows the load, and shrinks after its window', async () => {
    const { simulation, replicas, status } = await start({}, { settings: QUICK });
    await using _ = simulation;
    await run(simulation, '2.9', 90_000);
    assert.equal(await replicas(), 6);
    await run(simulation, '1.1', 30_000);
    assert.equal(await replicas(), 6);
    await run(simulation, '1.1', 120_000);
    assert.equal(await replicas(), 3);
    const { currentReplicas, desiredReplicas, conditions = [] } = (await status()) ?? {};
    assert.deepEqual([currentReplicas, desiredReplicas], [3, 3]);
    assert.deepEqual(
      conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`),
      [
        'AbleToScale=True ReadyForNewScale',
        'ScalingActive=True ValidMetricFound',
        'ScalingLimited=False DesiredWithinRange',
      ],
    );
    assert.deepEqual(simulation.reports, []);
  });

  it('sends two reads a round when nothing changes', async () => {
    const { simulation, load } = await start({}, { settings: QUICK });
    await using _ = simulation;
    await load('1');
    await simulation.settle({ quiet: 70_000 });
    simulation.log.clear();
    await simulation.advance(10 * PERIOD);
    const counts = simulation.log.counts(simulation.log.all);
    assert.deepEqual(counts, { 'get deployments/scale': 10, 'list pods': 10 });
  });

  it('keeps to its bounds without metrics', async () => {
    const { simulation, replicas, status } = await start({ minReplicas: 3 });
    await using _ = simulation;
    await simulation.advance(PERIOD + 1000);
    assert.equal(await replicas(), 3);
    await simulation.advance(PERIOD);
    const active = (await status())?.conditions?.find(({ type }) => type === 'ScalingActive');
    assert.deepEqual([active?.status, active?.reason], ['False', 'FailedGetResourceMetric']);
    assert.equal(await replicas(), 3);
  });
});

describe('an autoscaler never leaves its bounds, and ends at its target', () => {
  const FAULTS: readonly SimulationFaults[] = [
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.2, lostAnswers: 0.2 },
  ];
  const loads = fc.array(fc.tuple(fc.constantFrom('0.2', '1.4', '9'), fc.constantFrom(30_000, 90_000)), {
    minLength: 2,
    maxLength: 3,
  });
  for (const faults of FAULTS) {
    it(`with ${Object.keys(faults).join(', ')}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), loads, async (seed, phases) => {
          const { simulation, replicas } = await start({}, { seed, settings: QUICK, check: assertWithinBounds });
          await using _ = simulation;
          simulation.faults = faults;
          for (const [cpu, milliseconds] of phases) await run(simulation, cpu, milliseconds);
          simulation.faults = {};
          await run(simulation, '2', 150_000);
          assert.equal(await replicas(), 4);
        }),
        randomRuns(1),
      );
    });
  }
});

async function assertWithinBounds(client: DynamicClient): Promise<void> {
  for (const { spec } of (await client.resource(Deployment).list()).items) {
    const { replicas = 0 } = spec ?? {};
    assert.ok(replicas >= MIN && replicas <= MAX, `${replicas} replicas`);
  }
}
