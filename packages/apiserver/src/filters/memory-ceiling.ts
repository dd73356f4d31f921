import { tooManyRequests } from '@binnacle/apimachinery/status';
import type { Filter, RequestContext } from '../request/index.js';

const RETRY_AFTER_SECONDS = 1;
/**
 * The share of the room for requests that last as long as their clients like. Otherwise a few clients could keep all
 * others out.
 */
const LASTING_SHARE = 1 / 2;
/** The share of the room for the heads of requests that wait. Otherwise heads could keep all others out. */
const WAITING_SHARE = 1 / 4;
const REFUSAL = 'The server has no memory left for this request at the moment. Please try again later.';

export interface MemoryCeilingOptions {
  /** The memory limit of the process, in bytes. */
  readonly ceiling: number;
  /** Bytes that the process holds apart from requests: code and caches. */
  readonly held: () => number;
  /** The bytes that the head of a request takes while the request waits to be served; 0 = too few to count. */
  readonly head: (context: RequestContext) => number;
  /** Estimates the bytes of memory that a request needs while it is served, with its head. */
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
  /** Counts heads. Belongs before all filters in which a request may wait. */
  readonly heads: Filter;
  /** Belongs behind authentication, and before any part of a body is read. */
  readonly filter: Filter;
  /** Bytes reserved for the requests in progress. */
  readonly reserved: number;
  /** Bytes available to all requests together. */
  readonly room: number;
  /** The number of refused requests. */
  readonly refused: number;
}

/** What a request has reserved. */
interface Admitted {
  /** For its head, until it is served. */
  waiting: number;
  served: number;
}

/**
 * Admits requests while their estimated memory fits under the ceiling. Others get 429, and clients retry. A request
 * that is alone is always admitted, otherwise a small server could never serve it. So is one that costs nothing. A body of
 * unannounced length is read first, and its request is admitted again.
 */
export function memoryCeiling({
  ceiling,
  held,
  head,
  estimate,
  isLasting,
  estimateRead,
}: MemoryCeilingOptions): MemoryCeiling {
  const admitted = new Map<RequestContext, Admitted>();
  const total = { reserved: 0, waiting: 0, lasting: 0, refused: 0 };
  const room = (): number => Math.max(0, ceiling - held());
  /** Throws when more does not fit. A request is alone if nothing but `own` is reserved. */
  const check = (bytes: number, own: number, inShare: number, share: number): void => {
    const fits = total.reserved + bytes <= room() && inShare + bytes <= room() * share;
    if (bytes <= 0 || total.reserved <= own || fits) return;
    total.refused++;
    throw tooManyRequests(REFUSAL, RETRY_AFTER_SECONDS);
  };
  /** Reserves what serving the request takes, in place of what it has reserved. */
  const serve = (context: RequestContext, bytes: number): void => {
    const own = admitted.get(context) ?? { waiting: 0, served: 0 };
    const more = bytes - own.served - own.waiting;
    const lasts = isLasting(context);
    check(more, own.served + own.waiting, lasts ? total.lasting + own.waiting : 0, lasts ? LASTING_SHARE : 1);
    total.reserved += more;
    total.waiting -= own.waiting;
    if (lasts) total.lasting += bytes - own.served;
    admitted.set(context, { waiting: 0, served: bytes });
  };
  const release = (context: RequestContext): void => {
    const { waiting, served } = admitted.get(context) ?? { waiting: 0, served: 0 };
    total.reserved -= waiting + served;
    total.waiting -= waiting;
    if (isLasting(context)) total.lasting -= served;
    admitted.delete(context);
  };
  return {
    heads: {
      name: 'memory-of-heads',
      enter: (context) => {
        const bytes = head(context);
        if (bytes === 0) return;
        check(bytes, 0, total.waiting, WAITING_SHARE);
        total.reserved += bytes;
        total.waiting += bytes;
        admitted.set(context, { waiting: bytes, served: 0 });
      },
      leave: release,
    },
    filter: {
      name: 'memory-ceiling',
      enter: (context) => {
        serve(context, estimate(context));
        const whenRead = estimateRead(context);
        if (whenRead === undefined) return;
        context.exchange.admitBody((bodyBytes) => {
          if (admitted.has(context)) serve(context, whenRead(bodyBytes));
        });
      },
      leave: release,
    },
    get reserved() {
      return total.reserved;
    },
    get room() {
      return room();
    },
    get refused() {
      return total.refused;
    },
  };
}
