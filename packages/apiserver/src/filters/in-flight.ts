import type { Filter, RequestContext } from '../request/index.js';
import { isLongRunning } from './long-running.js';

/** The requests in progress. */
export interface InFlightRequests {
  /** Belongs behind request-info. */
  readonly filter: Filter;
  readonly count: number;
  /** Aborts the signal of every long-running request, so that a shutdown need not wait for them. */
  abortLongRunning(reason: Error): void;
}

export function trackInFlight(): InFlightRequests {
  const requests = new Set<RequestContext>();
  return {
    filter: {
      name: 'in-flight',
      enter: (context) => {
        requests.add(context);
      },
      leave: (context) => {
        requests.delete(context);
      },
    },
    get count() {
      return requests.size;
    },
    abortLongRunning: (reason) => {
      for (const context of requests) if (isLongRunning(context.info)) context.exchange.abort(reason);
    },
  };
}
