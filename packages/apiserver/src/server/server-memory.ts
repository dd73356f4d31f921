import { MAXIMUM_BODY_BYTES } from '../endpoints/index.js';
import { estimateMemory, isLongRunning, type MemoryCeiling, memoryCeiling } from '../filters/index.js';
import type { RequestContext } from '../http/index.js';
import { LiveMemory } from './live-memory.js';
import { memoryCeilingOf, readProcessLimits } from './process-limits.js';
import type { ResourceApi } from './resource-api.js';

/** Requests that must be answered whatever happens. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/healthz', '/metrics']);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
/** Of the ceiling, for short answers that their clients do not take. The ceiling does not count them: their requests are over. */
const UNSENT_SHARE = 1 / 8;
/** For them in a process with hardly any memory. */
const LEAST_UNSENT_BYTES = 8 * 1024 * 1024;
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

export interface ServerMemory extends Disposable {
  readonly ceiling: MemoryCeiling;
  /** What short answers that their clients have not taken may hold. */
  readonly maxUnsentBytes: number;
}

/** How many objects of its collection a request may have in hand at once, as far as caches know. */
function objectsInHand(
  { info, query }: Pick<RequestContext, 'info' | 'query'>,
  { catalog, extensions }: Pick<ResourceApi, 'catalog' | 'extensions'>,
): number {
  if (!info.isResourceRequest || !COLLECTION_VERBS.has(info.verb)) return 0;
  const builtIn = catalog.find(info.group, info.resource);
  const size = builtIn?.store.reader.cacher.size ?? extensions?.cachedObjects(info) ?? 0;
  const limit = Number(query.get('limit') ?? 0);
  return limit > 0 ? Math.min(limit, size) : size;
}

/** Admission of requests by memory, under what the process is given. `maximum`: bytes; absent: what the system says. */
export function serverMemory(
  maximum: number | undefined,
  api: Pick<ResourceApi, 'catalog' | 'extensions'>,
): ServerMemory {
  const live = new LiveMemory(() => ceiling.reserved);
  const ceilingBytes = memoryCeilingOf(maximum, readProcessLimits());
  const ceiling = memoryCeiling({
    ceiling: ceilingBytes,
    held: () => live.bytes,
    estimate: (context) =>
      PROBES.has(context.path)
        ? 0
        : estimateMemory({
            verb: context.info.verb,
            longRunning: isLongRunning(context.info),
            bodyBytes: bodyBytesOf(context),
            largestBody: MAXIMUM_BODY_BYTES,
            objects: objectsInHand(context, api),
          }),
  });
  const maxUnsentBytes = Math.max(ceilingBytes * UNSENT_SHARE, LEAST_UNSENT_BYTES);
  return { ceiling, maxUnsentBytes, [Symbol.dispose]: () => live[Symbol.dispose]() };
}

/** What the client says of its body; one that it does not announce, where bodies are rare, is none. */
function bodyBytesOf({ exchange }: RequestContext): number | undefined {
  const length = exchange.headers['content-length'];
  if (length !== undefined) return Number(length);
  const announced = exchange.headers['transfer-encoding'] !== undefined;
  return !announced && WITHOUT_BODY.has(exchange.method) ? 0 : undefined;
}
