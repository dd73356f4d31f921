import type { FlowSchema, PriorityLevelConfiguration } from '@binnacle/api/types/flowcontrol-v1';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { maxInFlight } from '../filters/index.js';
import {
  type CollectionSize,
  debugPages,
  type EstimatedRequest,
  type FlowConfiguration,
  FlowControl,
  priorityAndFairness,
} from '../flowcontrol/index.js';
import { type ConcurrencyLimits, flowObservers, readFlowControl, type RequestMetrics } from '../metrics/index.js';
import type { Stores } from '../registry/index.js';
import type { Filter, Handler, RequestContext } from '../request/index.js';
import type { ServerConfig } from './config.js';
import type { ResourceApi } from './resource-api.js';
import { cachedReader } from './readings/server-memory.js';

const GROUP = 'flowcontrol.apiserver.k8s.io';
/** The number of objects from whose average size that of a list is estimated. */
const SAMPLED_OBJECTS = 16;

export const FLOW_SCHEMAS = { group: GROUP, resource: 'flowschemas' };
export const PRIORITY_LEVELS = { group: GROUP, resource: 'prioritylevelconfigurations' };

/** The stored flow schemas and priority levels. */
export const flowSchemas = (stores: Stores) => stores.reader<FlowSchema>(FLOW_SCHEMAS);
export const priorityLevels = (stores: Stores) => stores.reader<PriorityLevelConfiguration>(PRIORITY_LEVELS);

/** Limits how many requests run at a time. */
export interface ServerFlowControl extends Disposable {
  readonly filter: Filter;
  /** Finds the pages that show the state of the limits. */
  handlerFor(path: string): Handler | undefined;
}

/** `requests` counts the requests that wait, and those that get 429. */
export function serverFlowControl(
  {
    priorityAndFairness: isFair,
    maxRequestsInFlight: reading,
    maxMutatingRequestsInFlight: mutating,
    clock,
  }: ServerConfig,
  api: ResourceApi,
  registry: MetricRegistry,
  requests: RequestMetrics,
): ServerFlowControl {
  const onRefused = (context: RequestContext) => requests.terminated(context, 429);
  if (!isFair) {
    requests.limitedBy({ readOnly: reading, mutating });
    const filter = maxInFlight({ reading, mutating, onRefused });
    return { filter, handlerFor: () => undefined, [Symbol.dispose]: () => undefined };
  }
  const seats = reading + mutating;
  const observers = flowObservers(registry, clock, seats);
  const control = new FlowControl({ clock, seats, configuration: stored(api.stores), observers });
  readFlowControl(registry, control);
  requests.limitedBy(
    forBothKinds(() => control.nominalSeats),
    forBothKinds(() => control.places),
  );
  const size = (request: EstimatedRequest) => collectionSize(request, api);
  const onQueued = (context: RequestContext, waits: boolean) => requests.queued(context, waits);
  const fairness = priorityAndFairness({ control, clock, size, onQueued, onRefused });
  const pages = debugPages({ control, admissions: () => fairness.admissions, clock });
  return {
    filter: fairness.filter,
    handlerFor: (path) => pages.handlerFor(path),
    [Symbol.dispose]: () => control[Symbol.dispose](),
  };
}

/** Requests that read and requests that write share a limit, which changes. */
function forBothKinds(limit: () => number): ConcurrencyLimits {
  return {
    get readOnly() {
      return limit();
    },
    get mutating() {
      return limit();
    },
  };
}

function stored(stores: Stores): FlowConfiguration {
  const [schemas, levels] = [flowSchemas(stores), priorityLevels(stores)];
  return {
    get changes() {
      return schemas.changes + levels.changes;
    },
    schemas: () => schemas.eachCached(''),
    levels: () => levels.eachCached(''),
  };
}

/** By the cache: the size of all objects, and the average of a few in the namespace. */
function collectionSize({ info }: EstimatedRequest, api: ResourceApi): CollectionSize | undefined {
  const reader = info.isResourceRequest ? cachedReader(info, api) : undefined;
  if (reader === undefined) return undefined;
  let [sampled, bytes] = [0, 0];
  for (const object of reader.eachCached(info.namespace)) {
    bytes += object.size;
    if (++sampled === SAMPLED_OBJECTS) break;
  }
  return { objects: reader.cacher.size, objectBytes: sampled === 0 ? 0 : bytes / sampled };
}
