import type { TimingSeries } from '@binnacle/apimachinery/metrics';
import { isReading } from '../filters/index.js';
import type { RequestContext } from '../request/index.js';
import { Watermark } from './watermark.js';

/** How many requests that read and that write may be in a phase; 0: there is no limit. */
export interface ConcurrencyLimits {
  readonly readOnly: number;
  readonly mutating: number;
}

type RequestKind = keyof ConcurrencyLimits;

/**
 * Counts the requests of a phase: the most in a second, and their share of the limit over time.
 * Upstream: apiserver `pkg/server/filters/maxinflight.go`.
 */
export class Concurrency {
  readonly #counts: Readonly<Record<RequestKind, { readonly highest: Watermark; current: number }>> = {
    readOnly: { highest: new Watermark(), current: 0 },
    mutating: { highest: new Watermark(), current: 0 },
  };
  #limits:
    | { readonly of: ConcurrencyLimits; readonly timings: Readonly<Record<RequestKind, TimingSeries>> }
    | undefined;

  /** Begins to time the requests. The limits may change. */
  limitedBy(of: ConcurrencyLimits, timing: (kind: RequestKind) => TimingSeries): void {
    this.#limits = { of, timings: { readOnly: timing('readOnly'), mutating: timing('mutating') } };
  }

  enter(context: RequestContext, now: number): void {
    const kind = kindOf(context);
    this.#counts[kind].highest.enter(now);
    this.#change(kind, 1, now);
  }

  leave(context: RequestContext, now: number): void {
    const kind = kindOf(context);
    this.#counts[kind].highest.leave(now);
    this.#change(kind, -1, now);
  }

  /** The most in the last whole second, by kind. */
  *highest(now: number): Generator<readonly [readonly [RequestKind], number]> {
    for (const kind of ['readOnly', 'mutating'] as const) yield [[kind], this.#counts[kind].highest.read(now)];
  }

  #change(kind: RequestKind, by: 1 | -1, now: number): void {
    const count = this.#counts[kind];
    count.current += by;
    if (this.#limits === undefined) return;
    const { of, timings } = this.#limits;
    timings[kind].set(count.current / (of[kind] || 1), now);
  }
}

function kindOf({ info }: RequestContext): RequestKind {
  return isReading(info) ? 'readOnly' : 'mutating';
}
