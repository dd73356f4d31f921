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

/** The memory that a request has reserved, in bytes. */
interface Reservation {
  /** For its head, until it is served. */
  readonly waiting: number;
  readonly served: number;
}

const nothing: Reservation = { waiting: 0, served: 0 };

/**
 * Admits requests while their estimated memory fits under the ceiling. Others get 429, and clients retry. A request
 * that is alone is always admitted, otherwise a small server could never serve it. So is one that costs nothing. A body of
 * unannounced length is read first, and its request is admitted again.
 */
export function memoryCeiling(options: MemoryCeilingOptions): MemoryCeiling {
  const { head, estimate, estimateRead } = options;
  const admitted = new Reservations(options);
  const leave = (context: RequestContext): void => admitted.release(context);
  return {
    heads: { name: 'memory-of-heads', enter: (context) => admitted.wait(context, head(context)), leave },
    filter: {
      name: 'memory-ceiling',
      enter: (context) => {
        admitted.serve(context, estimate(context));
        context.reserveMemory = (bytes) => admitted.serveMore(context, bytes);
        const whenRead = estimateRead(context);
        if (whenRead === undefined) return;
        context.exchange.admitBody((bodyBytes) => {
          if (admitted.has(context)) admitted.serve(context, whenRead(bodyBytes));
        });
      },
      leave,
    },
    get reserved() {
      return admitted.reserved;
    },
    get room() {
      return admitted.room;
    },
    get refused() {
      return admitted.refused;
    },
  };
}

class Reservations {
  reserved = 0;
  refused = 0;
  readonly #options: Pick<MemoryCeilingOptions, 'ceiling' | 'held' | 'isLasting'>;
  readonly #reservations = new Map<RequestContext, Reservation>();
  #waiting = 0;
  #lasting = 0;

  constructor(options: Pick<MemoryCeilingOptions, 'ceiling' | 'held' | 'isLasting'>) {
    this.#options = options;
  }

  get room(): number {
    return Math.max(0, this.#options.ceiling - this.#options.held());
  }

  has(context: RequestContext): boolean {
    return this.#reservations.has(context);
  }

  /** Reserves the memory for the head of a request that waits. */
  wait(context: RequestContext, bytes: number): void {
    if (bytes === 0) return;
    this.#check(bytes, 0, this.#waiting, WAITING_SHARE);
    this.reserved += bytes;
    this.#waiting += bytes;
    this.#reservations.set(context, { waiting: bytes, served: 0 });
  }

  /** Reserves the memory for serving a request, in place of its earlier reservation. */
  serve(context: RequestContext, bytes: number): void {
    const { waiting, served } = this.#reservations.get(context) ?? nothing;
    const own = waiting + served;
    if (this.#options.isLasting(context)) {
      this.#check(bytes - own, own, this.#lasting + waiting, LASTING_SHARE);
      this.#lasting += bytes - served;
    } else {
      this.#check(bytes - own, own, 0, 1);
    }
    this.reserved += bytes - own;
    this.#waiting -= waiting;
    this.#reservations.set(context, { waiting: 0, served: bytes });
  }

  /** Reserves more for a request that is being served. */
  serveMore(context: RequestContext, bytes: number): void {
    const reservation = this.#reservations.get(context);
    if (reservation !== undefined) this.serve(context, reservation.served + bytes);
  }

  release(context: RequestContext): void {
    const { waiting, served } = this.#reservations.get(context) ?? nothing;
    this.reserved -= waiting + served;
    this.#waiting -= waiting;
    if (this.#options.isLasting(context)) this.#lasting -= served;
    this.#reservations.delete(context);
  }

  /** Throws when more does not fit. A request is alone if nothing but `own` is reserved. */
  #check(bytes: number, own: number, inShare: number, share: number): void {
    const { room } = this;
    const fits = this.reserved + bytes <= room && inShare + bytes <= room * share;
    if (bytes <= 0 || this.reserved <= own || fits) return;
    this.refused++;
    throw tooManyRequests(REFUSAL, RETRY_AFTER_SECONDS);
  }
}
