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
/** The interval at which metrics-server scrapes. Simulated usage does not vary within it. */
const WINDOW = '15s';

/**
 * The answer to a request: pieces of JSON. An empty piece, too, is a step after which the caller may let other work run. Throws
 * a StatusError. `now`: milliseconds since the epoch.
 */
export function metricsAnswer(
  target: MetricsTarget,
  query: URLSearchParams,
  source: MetricsSource,
  now: number,
): Iterable<string> {
  switch (target.kind) {
    case 'groups':
      return whole({ kind: 'APIGroupList', apiVersion: 'v1', groups: [API_GROUP] });
    case 'group':
      return whole({ kind: 'APIGroup', apiVersion: 'v1', ...API_GROUP });
    case 'resources':
      return whole(RESOURCES);
    case 'nodes':
      return answer('NodeMetrics', target, query, (wanted) => nodeBodies(source, wanted, now));
    case 'pods':
      return answer('PodMetrics', target, query, (wanted) => podBodies(source, target.namespace, wanted, now));
  }
}

const whole = (object: JsonObject): Iterable<string> => [JSON.stringify(object)];

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

/** The next object, or undefined after a step without one. */
type Bodies = Iterable<JsonObject | undefined>;

/** Whether a client wants the metrics of an object. It is asked before their usage is computed. */
type Wanted = (metadata: Pod['metadata']) => boolean;

function answer(
  kind: string,
  { kind: resource, name }: Extract<MetricsTarget, { readonly name: string }>,
  query: URLSearchParams,
  bodiesOf: (wanted: Wanted) => Bodies,
): Iterable<string> {
  if (name !== '') {
    const found = [...bodiesOf((metadata) => metadata.name === name)].find((body) => body !== undefined);
    if (found === undefined) throw notFound({ group: GROUP, resource }, name);
    return whole({ kind, apiVersion: API_VERSION, ...found });
  }
  if ((query.get('fieldSelector') ?? '') !== '') throw badRequest('simulated metrics have no field selectors');
  if (query.get('watch') === 'true' || query.get('watch') === '1') throw badRequest('metrics cannot be watched');
  const selector = selectorIn(query);
  return list(
    `${kind}List`,
    bodiesOf(({ labels = {} }) => selector.matches(labels)),
  );
}

function* list(kind: string, bodies: Bodies): Generator<string> {
  yield `${JSON.stringify({ kind, apiVersion: API_VERSION, metadata: {} }).slice(0, -1)},"items":[`;
  let separator = '';
  for (const body of bodies) {
    if (body === undefined) {
      yield '';
      continue;
    }
    yield separator + JSON.stringify(body);
    separator = ',';
  }
  yield ']}';
}

function selectorIn(query: URLSearchParams) {
  try {
    return parseLabelSelector(query.get('labelSelector') ?? '');
  } catch (error) {
    if (error instanceof LabelSelectorError) throw badRequest(error.message);
    throw error;
  }
}

function* nodeBodies({ nodes, pods }: MetricsSource, wanted: Wanted, now: number): Generator<JsonObject | undefined> {
  const chosen = nodes().filter(({ metadata }) => wanted(metadata));
  const used = new Map(chosen.map(({ metadata }): [string, Usage[]] => [metadata.name ?? '', []]));
  for (const pod of pods()) {
    const usages = used.get(pod.spec?.nodeName ?? '');
    if (usages === undefined) continue;
    usages.push(usageSum(podUsage(pod, now).containers));
    yield undefined;
  }
  for (const { metadata } of chosen) {
    const { name = '', labels = {} } = metadata;
    yield body({ name, labels }, now, { usage: amounts(usageSum(used.get(name) ?? [])) });
  }
}

/** Pods of which nothing runs have no metrics. */
function* podBodies(
  { pods }: MetricsSource,
  namespace: string,
  wanted: Wanted,
  now: number,
): Generator<JsonObject | undefined> {
  for (const pod of pods()) {
    const { name = '', labels = {} } = pod.metadata;
    if (namespace !== '' && pod.metadata.namespace !== namespace) continue;
    yield undefined;
    if (!wanted(pod.metadata)) continue;
    const { containers } = podUsage(pod, now);
    if (containers.length === 0) continue;
    const used = containers.map((usage) => ({ name: usage.name, usage: amounts(usage) }));
    const metadata = { name, namespace: pod.metadata.namespace ?? '', labels };
    yield body(metadata, now, { containers: used });
  }
}

/** Like metrics-server, it gives the time of the measurement as the time of creation. */
function body(metadata: JsonObject, now: number, rest: JsonObject): JsonObject {
  const time = formatTime(now);
  return { metadata: { ...metadata, creationTimestamp: time }, timestamp: time, window: WINDOW, ...rest };
}

function amounts({ cpu, memory }: Usage): JsonObject {
  return { cpu: `${Math.round(cpu * 1e9)}n`, memory: `${Math.ceil(memory / 1024)}Ki` };
}
