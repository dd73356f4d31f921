import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { Filter, RequestContext } from '../request/index.js';

const RETRY_AFTER_SECONDS = 1;
/**
 * The share of the room for requests that last as long as their clients like. Otherwise a few clients could keep all
 * others out.
 */
const LASTING_SHARE = 1 / 2;
const REFUSAL = 'The server has no memory left for this request at the moment. Please try again later.';

export interface MemoryCeilingOptions {
  /** The memory limit of the process, in bytes. */
  readonly ceiling: number;
  /** Bytes that the process holds apart from requests: code and caches. */
  readonly held: () => number;
  /** Estimates the bytes of memory that a request needs while it is served. */
  readonly estimate: (context: RequestContext) => number;
  /** Whether a request lasts as long as its client likes, as watches do. */
  readonly isLasting: (context: RequestContext) => boolean;
  /**
   * Where the length of the body is not announced: estimates the same when the body has been read. Undefined for a
   * request whose first estimate holds.
   */
  readonly estimateRead: (context: RequestContext) => ((bodyBytes: number) => number) | undefined;
}

export interface MemoryCeiling {
  /** Belongs behind authentication, and before any part of a body is read. */
  readonly filter: Filter;
  /** Bytes reserved for the requests in progress. */
  readonly reserved: number;
  /** Bytes available to all requests together. */
  readonly room: number;
  /** The number of refused requests. */
  readonly refused: number;
}

/**
 * Admits requests while their estimated memory fits under the ceiling. Others get 429, and clients retry. A request
 * that is alone is always admitted, otherwise a small server could never serve it. So is one that costs nothing. A body of
 * unannounced length is read first, and its request is admitted again.
 */
export function memoryCeiling({
  ceiling,
  held,
  estimate,
  isLasting,
  estimateRead,
}: MemoryCeilingOptions): MemoryCeiling {
  const admitted = new Map<RequestContext, number>();
  let reserved = 0;
  let lasting = 0;
  let refused = 0;
  const room = (): number => Math.max(0, ceiling - held());
  /** Reserves more for a request, which is alone if nothing but `own` is reserved. */
  const reserve = (context: RequestContext, bytes: number, own: number): void => {
    const lasts = isLasting(context);
    const fits = reserved + bytes <= room() && (!lasts || lasting + bytes <= room() * LASTING_SHARE);
    if (bytes > 0 && reserved > own && !fits) {
      refused++;
      throw tooManyRequests(REFUSAL, RETRY_AFTER_SECONDS);
    }
    admitted.set(context, own + bytes);
    reserved += bytes;
    if (lasts) lasting += bytes;
  };
  return {
    filter: {
      name: 'memory-ceiling',
      enter: (context) => {
        reserve(context, estimate(context), 0);
        const whenRead = estimateRead(context);
        if (whenRead === undefined) return;
        context.exchange.admitBody((bodyBytes) => {
          const own = admitted.get(context);
          if (own !== undefined) reserve(context, whenRead(bodyBytes) - own, own);
        });
      },
      leave: (context) => {
        const bytes = admitted.get(context) ?? 0;
        reserved -= bytes;
        if (isLasting(context)) lasting -= bytes;
        admitted.delete(context);
      },
    },
    get reserved() {
      return reserved;
    },
    get room() {
      return room();
    },
    get refused() {
      return refused;
    },
  };
}
