import { MAXIMUM_BODY_BYTES } from '../../endpoints/index.js';
import {
  estimateMemory,
  headMemory,
  isConnection,
  isLongRunning,
  type MemoryCeiling,
  memoryCeiling,
} from '../../filters/index.js';
import type { ResourceReader } from '../../registry/index.js';
import type { RequestContext, RequestInfo } from '../../request/index.js';
import { LiveMemory } from './live-memory.js';
import { memoryCeilingOf, readProcessLimits } from './process-limits.js';
import type { ServerConfig } from '../config.js';
import type { ResourceApi } from '../resource-api.js';

/** Requests that are always admitted. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/metrics']);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
/**
 * The share of the ceiling for short answers that clients have not read. Their requests are over, so the ceiling does
 * not count them.
 */
const UNSENT_SHARE = 1 / 8;
/** The minimum for such answers in a small process. */
const LEAST_UNSENT_BYTES = 8 * 1024 * 1024;
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

export interface ServerMemory extends Disposable {
  readonly ceiling: MemoryCeiling;
  /** How many bytes of unread short answers may wait. As many may be held of heads that are not complete. */
  readonly maxUnsentBytes: number;
}

/** How many objects a request may hold at once, according to the caches. */
function objectsInHand(
  { info, query }: Pick<RequestContext, 'info' | 'query'>,
  { catalog, extensions }: Pick<ResourceApi, 'catalog' | 'extensions'>,
): number {
  if (!info.isResourceRequest || !COLLECTION_VERBS.has(info.verb)) return 0;
  if (info.verb === 'watch' && !hasInitialEvents(query)) return 0;
  const size = cachedReader(info, { catalog, extensions })?.cacher.size ?? 0;
  const limit = Number(query.get('limit') ?? 0);
  return limit > 0 ? Math.min(limit, size) : size;
}

/** The reader of a resource, built-in or custom; undefined = another server has it, or it was not used yet. */
export function cachedReader(
  info: RequestInfo,
  { catalog, extensions }: Pick<ResourceApi, 'catalog' | 'extensions'>,
): ResourceReader | undefined {
  return catalog.find(info.group, info.resource)?.store.reader ?? extensions?.readerOf(info);
}

/** Whether a watch begins with the objects as they are. */
function hasInitialEvents(query: RequestContext['query']): boolean {
  const asked = query.get('sendInitialEvents');
  return asked === null ? ['', '0'].includes(query.get('resourceVersion') ?? '') : asked !== 'false';
}

/** The size of the object that a request names, according to the cache; 0 for a custom resource. */
function namedObjectBytes({ info }: Pick<RequestContext, 'info'>, { catalog }: Pick<ResourceApi, 'catalog'>): number {
  if (!info.isResourceRequest || info.name === '') return 0;
  return catalog.find(info.group, info.resource)?.store.reader.findCached(info.namespace, info.name)?.size ?? 0;
}

/** Admits requests within the memory limit of the process. */
export function serverMemory(
  { maxMemoryBytes, processes }: Pick<ServerConfig, 'maxMemoryBytes' | 'processes'>,
  api: Pick<ResourceApi, 'catalog' | 'extensions'>,
): ServerMemory {
  const live = new LiveMemory(() => ceiling.reserved);
  const ceilingBytes = memoryCeilingOf(maxMemoryBytes, readProcessLimits(), processes);
  const estimate = (context: RequestContext, bodyBytes: number | undefined): number =>
    estimateMemory({
      verb: context.info.verb,
      longRunning: isLongRunning(context.info),
      isConnection: isConnection(context.info),
      isHistory: context.info.isHistory,
      bodyBytes,
      largestBody: MAXIMUM_BODY_BYTES,
      objects: objectsInHand(context, api),
      objectBytes: namedObjectBytes(context, api),
      targetBytes: context.exchange.url.length,
      headerBytes: bytesOf(context.exchange.headers),
    });
  const ceiling = memoryCeiling({
    ceiling: ceilingBytes,
    held: () => live.bytes,
    head: ({ exchange }) => headMemory(exchange.url.length, bytesOf(exchange.headers)),
    isLasting: (context) => isLongRunning(context.info),
    estimate: (context) => (PROBES.has(context.path) ? 0 : estimate(context, bodyBytesOf(context))),
    estimateRead: (context) =>
      bodyBytesOf(context) === undefined ? (bodyBytes) => estimate(context, bodyBytes) : undefined,
  });
  const maxUnsentBytes = Math.max(ceilingBytes * UNSENT_SHARE, LEAST_UNSENT_BYTES);
  return { ceiling, maxUnsentBytes, [Symbol.dispose]: () => live[Symbol.dispose]() };
}

function bytesOf(headers: RequestContext['exchange']['headers']): number {
  let bytes = 0;
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0);
  return bytes;
}

/** The announced length of the body. Where bodies are rare, an unannounced body counts as none. */
function bodyBytesOf({ exchange }: RequestContext): number | undefined {
  const length = exchange.headers['content-length'];
  if (length !== undefined) return Number(length);
  const announced = exchange.headers['transfer-encoding'] !== undefined;
  return !announced && WITHOUT_BODY.has(exchange.method) ? 0 : undefined;
}
