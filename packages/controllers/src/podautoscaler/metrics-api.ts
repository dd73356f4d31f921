import { messageOf } from '@binnacle/apimachinery/errors';
import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type DiscoveryClient, NoMatchError, RestMapper } from '@binnacle/client/discovery';
import { decodeObject } from '@binnacle/client/rest';
import { readBody, type Transport, type TransportRequest } from '@binnacle/client/transport';
import { nameOf, usageOf, valueOf } from './metric-items.js';
import { metricTime, metricWindow, type PodMetric, type PodMetrics } from './pod-metrics.js';
import { MetricsError } from './replica-calculator.js';

const RESOURCE_METRICS = 'metrics.k8s.io';
const CUSTOM_METRICS = 'custom.metrics.k8s.io';
const EXTERNAL_METRICS = 'external.metrics.k8s.io';
/** Upstream: `metricServerDefaultMetricWindow`. */
const WINDOW_MILLISECONDS = 60_000;
/** Ten times the metrics of 3,000 pods. */
const LONGEST_ANSWER_BYTES = 16 * 1024 * 1024;
/** The most characters of a failure's text, which comes from the metrics API and goes to conditions and events. */
const LONGEST_MESSAGE = 1024;
const CUSTOM_VERSIONS = ['v1beta2', 'v1beta1'];

/** The object that a metric describes. */
export interface DescribedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

interface Question {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names what is read, in errors: `get pods.metrics.k8s.io`. */
  readonly what: string;
}

/** Reads the three APIs of metrics. Rejects with a {@link MetricsError}. Values are in thousandths. */
export class MetricsApi {
  readonly #transport: Transport;
  readonly #discovery: DiscoveryClient;

  constructor(transport: Transport, discovery: DiscoveryClient) {
    this.#transport = transport;
    this.#discovery = discovery;
  }

  /** Of the container of this name, or of all containers of a pod together. Pods without the metric are left out. */
  async ofResource(
    { namespace, selector, resource, container }: ResourceQuery,
    signal: AbortSignal,
  ): Promise<PodMetrics> {
    const path = `/apis/${RESOURCE_METRICS}/v1beta1/namespaces/${segment(namespace)}/pods`;
    const question = { path, query: { labelSelector: selector }, what: `pods.${RESOURCE_METRICS}` };
    const items = await this.#read('resource', question, signal);
    const found = new Map<string, PodMetric>();
    for (const item of items) {
      const value = usageOf(item, resource, container);
      if (value === undefined) continue;
      const { timestamp, window } = item;
      found.set(nameOf(item['metadata']), { value, timestamp: metricTime(timestamp), window: metricWindow(window) });
    }
    return found;
  }

  /** A metric of each pod. */
  async ofPods({ namespace, selector, metric, metricSelector }: PodsQuery, signal: AbortSignal): Promise<PodMetrics> {
    const items = await this.#custom(
      namespace,
      'pods',
      '*',
      metric,
      { labelSelector: selector, metricSelector },
      signal,
    );
    return new Map(
      items.map((item) => {
        const seconds = item['windowSeconds'] ?? item['window'];
        const window = typeof seconds === 'number' ? seconds * 1000 : WINDOW_MILLISECONDS;
        const metric = { value: valueOf(item), timestamp: metricTime(item['timestamp']), window };
        return [nameOf(item['describedObject']), metric];
      }),
    );
  }

  /** A metric of one object of the namespace, or of the namespace itself. */
  async ofObject({ namespace, object, metric, metricSelector }: ObjectQuery, signal: AbortSignal): Promise<bigint> {
    const isNamespace = object.kind === 'Namespace' && !(object.apiVersion ?? '').includes('/');
    const resource = isNamespace ? 'metrics' : await this.#resourceOf(object, signal);
    const name = isNamespace ? undefined : object.name;
    const items = await this.#custom(namespace, resource, name, metric, { metricSelector }, signal);
    const [item] = items;
    if (item !== undefined && items.length === 1) return valueOf(item);
    const text = `the custom metrics API server returned ${items.length} results when we asked for exactly one`;
    throw new MetricsError(`unable to fetch metrics from custom metrics API: ${text}`);
  }

  async ofExternal({ namespace, metric, metricSelector }: ExternalQuery, signal: AbortSignal): Promise<bigint[]> {
    const path = `/apis/${EXTERNAL_METRICS}/v1beta1/namespaces/${segment(namespace)}/${segment(metric)}`;
    const question = { path, query: { labelSelector: metricSelector }, what: `${metric}.${EXTERNAL_METRICS}` };
    return (await this.#read('external', question, signal)).map(valueOf);
  }

  async #custom(
    namespace: string,
    resource: string,
    name: string | undefined,
    metric: string,
    { labelSelector = '', metricSelector }: { readonly labelSelector?: string; readonly metricSelector: string },
    signal: AbortSignal,
  ): Promise<JsonObject[]> {
    const version = await this.#customVersion(signal);
    const parts = [namespace, resource, ...(name === undefined ? [] : [name]), metric].map(segment);
    const path = `/apis/${CUSTOM_METRICS}/${version}/namespaces/${parts.join('/')}`;
    const query = { labelSelector, metricLabelSelector: metricSelector };
    const what = `${resource}.${CUSTOM_METRICS} ${name ?? metric}`;
    return this.#read('custom', { path, query, what }, signal, name === '*');
  }

  async #customVersion(signal: AbortSignal): Promise<string> {
    const find = async () => {
      const { groups } = await this.#discovery.surface({ signal });
      return groups.find(({ name }) => name === CUSTOM_METRICS)?.versions.map(({ version }) => version);
    };
    try {
      const found = (await find()) ?? (this.#discovery.invalidate(), await find());
      if (found === undefined) throw new MetricsError(`no custom metrics API (${CUSTOM_METRICS}) registered`);
      const known = found.find((version) => CUSTOM_VERSIONS.includes(version));
      if (known === undefined) throw new MetricsError('no known available metric versions found');
      return known;
    } catch (error) {
      throw failed('custom', error, signal);
    }
  }

  async #resourceOf({ apiVersion = '', kind }: DescribedObject, signal: AbortSignal): Promise<string> {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    try {
      const { resource } = await new RestMapper(this.#discovery).resourceForKind({ group, kind }, { signal });
      return group === '' ? resource.resource : `${resource.resource}.${group}`;
    } catch (error) {
      const cause = `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
      const named = group === '' ? kind : `${kind}.${group}`;
      if (!(error instanceof NoMatchError)) throw failed('custom', error, signal);
      throw failed('custom', new MetricsError(`unable to map kind ${named} to resource: ${cause}`), signal);
    }
  }

  async #read(
    api: string,
    { path, query, what }: Question,
    signal: AbortSignal,
    needsItems = true,
  ): Promise<JsonObject[]> {
    const given = Object.entries(query).filter(([, value]) => value !== '');
    const search = new URLSearchParams(given).toString();
    try {
      const target = search === '' ? path : `${path}?${search}`;
      const request: TransportRequest = { method: 'GET', path: target };
      const response = await this.#transport.send(request, { signal });
      const list = decodeObject(request, response, await readBody(response, LONGEST_ANSWER_BYTES));
      const items = getOwn(list, 'items');
      const found = Array.isArray(items) ? items.filter(isObject) : [];
      if (found.length > 0 || !needsItems) return found;
    } catch (error) {
      throw failed(api, error, signal, what);
    }
    throw new MetricsError(`no metrics returned from ${api} metrics API`);
  }
}

export interface ResourceQuery {
  readonly namespace: string;
  readonly selector: string;
  readonly resource: string;
  readonly container: string | undefined;
}

export interface PodsQuery {
  readonly namespace: string;
  readonly selector: string;
  readonly metric: string;
  readonly metricSelector: string;
}

export interface ObjectQuery extends Pick<PodsQuery, 'namespace' | 'metric' | 'metricSelector'> {
  readonly object: DescribedObject;
}

export type ExternalQuery = Pick<PodsQuery, 'namespace' | 'metric' | 'metricSelector'>;

/** The client names a request by its path where the server's answer says nothing; upstream's does so by its resource. */
function failed(api: string, error: unknown, signal: AbortSignal, what = ''): unknown {
  if (signal.aborted) return error;
  const message = messageOf(error)
    .slice(0, LONGEST_MESSAGE)
    .replace(/ \(GET [^()]*\)$/, ` (get ${what})`);
  return new MetricsError(`unable to fetch metrics from ${api} metrics API: ${message}`);
}

/** A name within a path. Users choose it, so it must stay one segment. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || /[/%]/.test(text)) {
    throw new MetricsError(`invalid name ${JSON.stringify(text)} of a metric or an object`);
  }
  return text === '*' ? text : encodeURIComponent(text);
}
