import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { Filter, RequestContext } from '../request/index.js';

const RETRY_AFTER_SECONDS = 1;
const REFUSAL = 'The server has no memory left for this request at the moment. Please try again later.';

export interface MemoryCeilingOptions {
  /** The memory limit of the process, in bytes. */
  readonly ceiling: number;
  /** Bytes that the process holds apart from requests: code and caches. */
  readonly held: () => number;
  /** Estimates the bytes of memory that a request needs while it is served. */
  readonly estimate: (context: RequestContext) => number;
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
 * that is alone is always admitted, otherwise a small server could never serve it. So is one that costs nothing.
 */
export function memoryCeiling({ ceiling, held, estimate }: MemoryCeilingOptions): MemoryCeiling {
  const admitted = new Map<RequestContext, number>();
  let reserved = 0;
  let refused = 0;
  const room = (): number => Math.max(0, ceiling - held());
  return {
    filter: {
      name: 'memory-ceiling',
      enter: (context) => {
        const bytes = estimate(context);
        if (bytes > 0 && reserved > 0 && reserved + bytes > room()) {
          refused++;
          throw tooManyRequests(REFUSAL, RETRY_AFTER_SECONDS);
        }
        admitted.set(context, bytes);
        reserved += bytes;
      },
      leave: (context) => {
        reserved -= admitted.get(context) ?? 0;
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
