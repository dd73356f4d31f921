import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { Filter, RequestContext } from '../request/index.js';
import { isLongRunning } from './long-running.js';

/** The requests in progress. */
export interface InFlightRequests {
  /** Belongs behind request-info. */
  readonly filter: Filter;
  readonly count: number;
  /**
   * Aborts the signal of every long-running request, so that a shutdown need not wait for them: watches spread evenly over
   * `spreadMs`, so that their clients do not all return at once, and others at once. Settles when the last one is aborted.
   */
  abortLongRunning(reason: Error, spreadMs: number): Promise<void>;
  /** Settles when no request is in progress, also of clients that have left, or after `limitMs`. Only one caller may wait. */
  settled(limitMs: number): Promise<void>;
}

export function trackInFlight(clock: Clock): InFlightRequests {
  const requests = new Set<RequestContext>();
  let becameIdle = (): void => undefined;
  return {
    filter: {
      name: 'in-flight',
      enter: (context) => {
        requests.add(context);
      },
      leave: (context) => {
        requests.delete(context);
        if (requests.size === 0) becameIdle();
      },
    },
    get count() {
      return requests.size;
    },
    settled: async (limitMs) => {
      if (requests.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = clock.setTimer(resolve, limitMs);
        becameIdle = () => {
          timer[Symbol.dispose]();
          resolve();
        };
      });
    },
    abortLongRunning: async (reason, spreadMs) => {
      const watches: RequestContext[] = [];
      for (const context of requests) {
        if (!isLongRunning(context.info)) continue;
        if (spreadMs > 0 && context.info.verb === 'watch') watches.push(context);
        else context.exchange.abort(reason);
      }
      for (const watch of watches) {
        // Those that have ended meanwhile take no time.
        if (!requests.has(watch)) continue;
        watch.exchange.abort(reason);
        await sleep(clock, spreadMs / watches.length);
      }
    },
  };
}
