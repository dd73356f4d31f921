import type { JsonObject } from '@binnacle/apimachinery/json';
import { LabelSelectorError, parseLabelSelector } from '@binnacle/apimachinery/labels';
import { badRequest, notFound } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { podUsage, type Usage, usageSum } from '../usage/index.js';
import { GROUP, type MetricsTarget, VERSION } from './metrics-target.js';

/** The objects whose usage is served. */
export interface MetricsSource {
  readonly nodes: () => readonly Node[];
  /** Of these nodes. */
  readonly pods: () => readonly Pod[];
}

const API_VERSION = `${GROUP}/${VERSION}`;
const GROUP_VERSION = { groupVersion: API_VERSION, version: VERSION };
const API_GROUP = { name: GROUP, versions: [GROUP_VERSION], preferredVersion: GROUP_VERSION };
/** Usage does not vary within it. As metrics-server scrapes. */
const WINDOW = '15s';

/** The answer to a request. Throws a StatusError. `now`: milliseconds since the epoch. */
export function metricsAnswer(
  target: MetricsTarget,
  query: URLSearchParams,
  source: MetricsSource,
  now: number,
): JsonObject {
  switch (target.kind) {
    case 'groups':
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: [API_GROUP] };
    case 'group':
      return { kind: 'APIGroup', apiVersion: 'v1', ...API_GROUP };
    case 'resources':
      return RESOURCES;
    case 'nodes':
      return answer('NodeMetrics', target, query, nodeItems(source, now));
    case 'pods':
      return answer('PodMetrics', target, query, podItems(source, target.namespace, now));
  }
}

const resource = (name: string, kind: string, namespaced: boolean): JsonObject => ({
  name,
  singularName: '',
  namespaced,
  kind,
  verbs: ['get', 'list'],
});

const RESOURCES: JsonObject = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: API_VERSION,
  resources: [resource('nodes', 'NodeMetrics', false), resource('pods', 'PodMetrics', true)],
};

interface Item {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

function answer(
  kind: string,
  { kind: resource, name }: Extract<MetricsTarget, { readonly name: string }>,
  query: URLSearchParams,
  items: Iterable<Item>,
): JsonObject {
  if (name !== '') {
    for (const item of items) if (item.name === name) return { kind, apiVersion: API_VERSION, ...item.body };
    throw notFound({ group: GROUP, resource }, name);
  }
  if ((query.get('fieldSelector') ?? '') !== '') throw badRequest('simulated metrics have no field selectors');
  if (query.get('watch') === 'true' || query.get('watch') === '1') throw badRequest('metrics cannot be watched');
  const selector = selectorIn(query);
  const chosen = [...items].filter(({ labels }) => selector.matches(labels));
  return { kind: `${kind}List`, apiVersion: API_VERSION, metadata: {}, items: chosen.map(({ body }) => body) };
}

function selectorIn(query: URLSearchParams) {
  try {
    return parseLabelSelector(query.get('labelSelector') ?? '');
  } catch (error) {
    if (error instanceof LabelSelectorError) throw badRequest(error.message);
    throw error;
  }
}

function* nodeItems({ nodes, pods }: MetricsSource, now: number): Generator<Item> {
  const used = new Map<string, Usage[]>();
  for (const pod of pods()) {
    const name = pod.spec?.nodeName ?? '';
    const known = used.get(name) ?? [];
    known.push(...podUsage(pod, now).containers);
    used.set(name, known);
  }
  for (const { metadata } of nodes()) {
    const { name = '', labels = {} } = metadata;
    yield { name, labels, body: body({ name, labels }, now, { usage: amounts(usageSum(used.get(name) ?? [])) }) };
  }
}

/** Pods of which nothing runs have no metrics. */
function* podItems({ pods }: MetricsSource, namespace: string, now: number): Generator<Item> {
  for (const pod of pods()) {
    const { name = '', labels = {} } = pod.metadata;
    if (namespace !== '' && pod.metadata.namespace !== namespace) continue;
    const { containers } = podUsage(pod, now);
    if (containers.length === 0) continue;
    const used = containers.map((usage) => ({ name: usage.name, usage: amounts(usage) }));
    const metadata = { name, namespace: pod.metadata.namespace ?? '', labels };
    yield { name, labels, body: body(metadata, now, { containers: used }) };
  }
}

/** An object of metrics is as young as its numbers. */
function body(metadata: JsonObject, now: number, rest: JsonObject): JsonObject {
  const time = formatTime(now);
  return { metadata: { ...metadata, creationTimestamp: time }, timestamp: time, window: WINDOW, ...rest };
}

function amounts({ cpu, memory }: Usage): JsonObject {
  return { cpu: `${Math.round(cpu * 1e9)}n`, memory: `${Math.ceil(memory / 1024)}Ki` };
}
