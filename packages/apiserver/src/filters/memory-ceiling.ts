import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { Filter, RequestContext } from '../http/index.js';

const RETRY_AFTER_SECONDS = 1;
const REFUSAL = 'The server has no memory left for this request at the moment. Please try again later.';

export interface MemoryCeilingOptions {
  /** Bytes that the process may take. */
  readonly ceiling: number;
  /** Bytes that it takes whatever is requested: code, caches. */
  readonly held: () => number;
  /** Bytes that a request may take while it is served. */
  readonly estimate: (context: RequestContext) => number;
}

export interface MemoryCeiling {
  /** Belongs behind authentication, and before anything is read of a body. */
  readonly filter: Filter;
  /** Bytes that the requests under way may take. */
  readonly reserved: number;
  /** Bytes that all requests together may take now. */
  readonly room: number;
  /** Requests that have been refused. */
  readonly refused: number;
}

/**
 * Admits requests by what they may cost: over the ceiling they are answered 429 and come back later. A request that is alone is served whatever
 * it costs, or a server with little memory would never serve it; and so is one that costs nothing.
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
