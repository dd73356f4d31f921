import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { everything } from '@binnacle/apimachinery/labels';
import { DiscoveryClient } from '@binnacle/client/discovery';
import type { MetricSpec } from '@binnacle/client/kinds/autoscaling/v2';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isStatus } from '@binnacle/client/rest';
import { transportOver } from '@binnacle/client/transport';
import { askMetric } from './ask-metric.js';
import { MetricsApi } from './metrics-api.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const TIMESTAMP = '2026-01-01T12:00:00Z';
const CUSTOM = '/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop';

const resources = (groups: JsonValue[]): JsonObject => ({ kind: 'APIGroupDiscoveryList', items: groups });
const custom = {
  metadata: { name: 'custom.metrics.k8s.io' },
  versions: [{ version: 'v1beta2', resources: [] }],
};
const networking = {
  metadata: { name: 'networking.k8s.io' },
  versions: [
    {
      version: 'v1',
      resources: [
        {
          resource: 'ingresses',
          responseKind: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
          scope: 'Namespaced',
          singularResource: 'ingress',
          verbs: ['get'],
        },
      ],
    },
  ],
};

function pod(name: string): Pod {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T10:00:00Z' }];
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
  const status = { phase: 'Running' as const, startTime: '2026-01-01T10:00:00Z', conditions };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers }, status };
}

const podMetrics = (name: string, usage: Readonly<Record<string, string>>) => ({
  metadata: { name },
  timestamp: TIMESTAMP,
  window: '30s',
  containers: [{ name: 'c', usage }],
});

async function* chunksOf(body: Uint8Array) {
  yield body;
}

/** Asks a metric of two pods, with these answers by path. Other paths are unknown. */
async function ask(
  spec: MetricSpec,
  answers: Readonly<Record<string, JsonValue>>,
  groups: JsonValue[] = [custom, networking],
  pods: readonly Pod[] = [pod('a'), pod('b')],
) {
  const paths: string[] = [];
  const transport = transportOver(
    async ({ path }) => {
      const isDiscovery = path === '/api' || path === '/apis';
      if (!isDiscovery) paths.push(path);
      const answer = isDiscovery ? resources(path === '/apis' ? groups : []) : answers[path];
      const body = new TextEncoder().encode(answer === undefined ? '404 page not found' : JSON.stringify(answer));
      const type = isDiscovery
        ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
        : 'application/json';
      const headers = { 'content-type': answer === undefined ? 'text/plain' : type };
      const status = answer === undefined ? 404 : isStatus(answer) ? 500 : 200;
      return { status, headers, body: chunksOf(body), cancel: () => undefined };
    },
    { clock: new VirtualClock(NOON) },
  );
  const api = new MetricsApi(transport, new DiscoveryClient(transport));
  const target = {
    namespace: 'shop',
    selector: everything,
    pods,
    specReplicas: 2,
    statusReplicas: 2,
    tolerances: { down: 0.1, up: 0.1 },
    periods: { cpuInitialization: 300_000, initialReadiness: 30_000 },
    now: NOON,
  };
  const answer = await askMetric(spec, target, { api, signal: new AbortController().signal });
  return { answer, paths };
}

const items = (...list: JsonValue[]): JsonObject => ({ items: list });
const PODS = '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods';
const metric = { name: 'hits', selector: { matchLabels: { verb: 'GET' } } };
const hits = (name: string, value: string) => ({ describedObject: { name }, timestamp: TIMESTAMP, value });

describe('a metric that answers', () => {
  const HITS = `${CUSTOM}/pods/*/hits?metricLabelSelector=verb%3DGET`;
  const INGRESS = `${CUSTOM}/ingresses.networking.k8s.io/main/hits?metricLabelSelector=verb%3DGET`;
  const ofNamespace = `${CUSTOM}/metrics/hits?metricLabelSelector=verb%3DGET`;
  const EXTERNAL = '/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/hits?labelSelector=verb%3DGET';
  const ingress = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'main' };
  const external =
    'external metric hits(&LabelSelector{MatchLabels:map[string]string{verb: GET,},MatchExpressions:[]LabelSelectorRequirement{},})';
  const usage = items(podMetrics('a', { cpu: '800m', memory: '2Gi' }), podMetrics('b', { cpu: '900m', memory: '1Gi' }));
  const percent = { type: 'Utilization', averageUtilization: 50 };
  const average = (averageValue: string) => ({ type: 'AverageValue', averageValue });
  for (const [what, spec, path, answer, replicas, name, status] of [
    [
      'cpu, percent',
      { type: 'Resource', resource: { name: 'cpu', target: percent } },
      PODS,
      usage,
      4,
      'cpu resource utilization (percentage of request)',
      { resource: { name: 'cpu', current: { averageUtilization: 85, averageValue: '850m' } } },
    ],
    [
      'memory, amount',
      { type: 'Resource', resource: { name: 'memory', target: average('512Mi') } },
      PODS,
      usage,
      6,
      'memory resource',
      { resource: { name: 'memory', current: { averageValue: '1536Mi' } } },
    ],
    [
      'a container',
      { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target: percent } },
      PODS,
      usage,
      4,
      'cpu container resource utilization (percentage of request)',
      { containerResource: { name: 'cpu', container: 'c', current: { averageUtilization: 85, averageValue: '850m' } } },
    ],
    [
      'a container, amount',
      {
        type: 'ContainerResource',
        containerResource: { name: 'memory', container: 'c', target: average('512Mi') },
      },
      PODS,
      usage,
      6,
      'memory resource',
      { containerResource: { name: 'memory', container: 'c', current: { averageValue: '1536Mi' } } },
    ],
    [
      'pods',
      { type: 'Pods', pods: { metric, target: average('10') } },
      HITS,
      items(hits('a', '20'), hits('b', '40')),
      6,
      'pods metric hits',
      { pods: { metric, current: { averageValue: '30' } } },
    ],
    [
      'an object',
      { type: 'Object', object: { metric, describedObject: ingress, target: { type: 'Value', value: '10' } } },
      INGRESS,
      items(hits('main', '25500m')),
      6,
      'Ingress metric hits',
      { object: { metric, describedObject: ingress, current: { value: '25500m' } } },
    ],
    [
      'a namespace, shares',
      {
        type: 'Object',
        object: { metric, describedObject: { kind: 'Namespace', name: 'other' }, target: average('10') },
      },
      ofNamespace,
      items(hits('shop', '50')),
      5,
      external,
      { object: { metric, describedObject: { kind: 'Namespace', name: 'other' }, current: { averageValue: '25' } } },
    ],
    [
      'an external value',
      { type: 'External', external: { metric, target: { type: 'Value', value: '10' } } },
      EXTERNAL,
      items({ value: '10' }, { value: '15' }),
      5,
      external,
      { external: { metric, current: { value: '25' } } },
    ],
    [
      'external shares, beyond all limits',
      { type: 'External', external: { metric, target: average('1') } },
      EXTERNAL,
      items({ value: '9E' }, { value: '9E' }),
      2 ** 31 - 1,
      external,
      undefined,
    ],
  ] as const) {
    it(what, async () => {
      const given = await ask(spec, { [path]: answer });
      assert.deepEqual(given.paths, [path]);
      assert.ok('proposal' in given.answer, JSON.stringify(given.answer));
      const { proposal } = given.answer;
      assert.deepEqual([proposal.replicas, proposal.name], [replicas, name]);
      if (status !== undefined) assert.deepEqual(proposal.status, { type: spec.type, ...status });
    });
  }
});

describe('a metric that does not answer', () => {
  const MISSING = 'the server could not find the requested resource';
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
  const ofPods = {
    type: 'Pods',
    pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1' } },
  };
  const external = { type: 'External', external: { metric: { name: 'hits' }, target: { type: 'Value', value: '1' } } };
  const describedObject = { kind: 'Nothing', name: 'x' };
  const object = {
    type: 'Object',
    object: { metric: { name: 'hits' }, describedObject, target: { type: 'Value', value: '1' } },
  };
  const UNSET = 'target was set';
  const API = 'unable to fetch metrics from custom metrics API';
  for (const [what, spec, answers, groups, reason, message, summary] of [
    [
      'no API of resources',
      cpu,
      {},
      [],
      'FailedGetResourceMetric',
      `failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: ${MISSING} (get pods.metrics.k8s.io)`,
      'failed to get cpu resource metric value: ',
    ],
    [
      'no metrics of resources',
      cpu,
      { [PODS]: items() },
      [],
      'FailedGetResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API',
      'failed to get cpu resource metric value: ',
    ],
    [
      'no API of custom metrics',
      ofPods,
      {},
      [],
      'FailedGetPodsMetric',
      `unable to get metric hits: ${API}: no custom metrics API (custom.metrics.k8s.io) registered`,
      'failed to get pods metric value: ',
    ],
    [
      'no such metric of pods',
      ofPods,
      {},
      [custom],
      'FailedGetPodsMetric',
      `unable to get metric hits: ${API}: ${MISSING} (get pods.custom.metrics.k8s.io *)`,
      'failed to get pods metric value: ',
    ],
    [
      'an object of an unknown kind',
      object,
      {},
      [custom],
      'FailedGetObjectMetric',
      `unable to get metric hits: Nothing on shop x/${API}: unable to map kind Nothing to resource: no matches for kind "Nothing" in group ""`,
      'failed to get object metric value: ',
    ],
    [
      'no external metric',
      external,
      {},
      [],
      'FailedGetExternalMetric',
      `unable to get external metric shop/hits/nil: unable to fetch metrics from external metrics API: ${MISSING} (get hits.external.metrics.k8s.io)`,
      'failed to get hits external metric value: failed to get external metric hits: ',
    ],
    [
      'a name that leaves the path',
      { type: 'External', external: { metric: { name: '../x' }, target: { type: 'Value', value: '1' } } },
      {},
      [],
      'FailedGetExternalMetric',
      'unable to get external metric shop/../x/nil: invalid name "../x" of a metric or an object',
      'failed to get ../x external metric value: failed to get external metric ../x: ',
    ],
    [
      'no metrics of a container',
      { type: 'ContainerResource', containerResource: { ...cpu.resource, container: 'c' } },
      { [PODS]: items() },
      [],
      'FailedGetContainerResourceMetric',
      'failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API',
      'failed to get c container metric value: ',
    ],
    [
      'a resource without a target',
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } },
      {},
      [],
      'FailedGetResourceMetric',
      `invalid resource metric source: neither an average utilization target nor an average value (usage) ${UNSET}`,
      'failed to get cpu resource metric value: ',
    ],
    [
      'an object without a target',
      { type: 'Object', object: { ...object.object, target: { type: 'AverageValue', value: '1' } } },
      {},
      [],
      'FailedGetObjectMetric',
      `invalid object metric source: neither a value target nor an average value ${UNSET}`,
      'failed to get object metric value: ',
    ],
    [
      'an external metric without a target',
      { type: 'External', external: { metric: { name: 'hits' }, target: { type: 'Value' } } },
      {},
      [],
      'FailedGetExternalMetric',
      `invalid external metric source: neither a value target nor an average value ${UNSET}`,
      'failed to get hits external metric value: ',
    ],
    ['an unknown type', { type: 'Odd' }, {}, [], 'InvalidMetricSourceType', 'unknown metric source type "Odd"', ''],
  ] as const) {
    it(what, async () => {
      const { answer } = await ask(spec, answers, [...groups]);
      assert.deepEqual(answer, { refusal: { reason, message, summary: `${summary}${message}` } });
    });
  }

  it('needs no requests of pods that are all pending', async () => {
    const { spec: _, ...pending } = { ...pod('a'), status: { phase: 'Pending' as const } };
    const { answer } = await ask(cpu, { [PODS]: items(podMetrics('a', { cpu: '1' })) }, [], [pending]);
    const message = 'did not receive metrics for targeted pods (pods might be unready)';
    assert.ok('refusal' in answer);
    assert.equal(answer.refusal.message, `failed to get cpu utilization: ${message}`);
  });

  it('reads no answer of more than 16 MiB', async () => {
    const { answer } = await ask(cpu, { [PODS]: items('x'.repeat(16 * 1024 * 1024)) });
    assert.ok('refusal' in answer);
    assert.match(answer.refusal.message, /: the response is longer than 16777216 bytes$/);
  });

  it('passes on the start of a long error alone', async () => {
    const answers = { [PODS]: { kind: 'Status', status: 'Failure', message: 'x'.repeat(5000) } };
    const { answer } = await ask(cpu, answers);
    assert.ok('refusal' in answer);
    assert.match(answer.refusal.message, /^failed to get cpu utilization: .*: x{1024}$/);
  });
});
