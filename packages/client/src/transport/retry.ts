import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { ConnectionError, type Send, type TransportRequest, type TransportResponse } from './exchange.js';
import type { TransportObserver } from './observe.js';

const MOST_RETRIES = 10;
/** The delay before a read is repeated after a broken connection. */
const BROKEN_CONNECTION_MILLISECONDS = 1000;

/**
 * Repeats requests that the server asks to repeat, and those on which it did not act. The outcome of the last attempt counts. Upstream: client-go
 * `rest.withRetry`.
 */
export function withRetry(next: Send, clock: Clock, observer?: Pick<TransportObserver, 'retried'>): Send {
  return async (request, options) => {
    for (let retries = 0; ; retries++) {
      const last = retries === MOST_RETRIES;
      let wait: number | undefined;
      let status: number | undefined;
      try {
        const response = await next(request, options);
        wait = last ? undefined : retryAfterMilliseconds(response, clock);
        if (wait === undefined) return response;
        ({ status } = response);
        response.cancel();
      } catch (error) {
        wait = last ? undefined : delayAfter(error, request);
        if (wait === undefined) throw error;
      }
      observer?.retried(request.method, status);
      await sleep(clock, wait, options.signal);
    }
  };
}

/** Undefined if the request must not be repeated. A server that may have acted sends no Retry-After. */
function retryAfterMilliseconds(response: TransportResponse, clock: Clock): number | undefined {
  if (response.status !== 429 && response.status < 500) return undefined;
  const text = response.headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}

function delayAfter(error: unknown, request: TransportRequest): number | undefined {
  if (!(error instanceof ConnectionError)) return undefined;
  switch (error.stage) {
    case 'unprocessed':
      return 0;
    case 'broken':
      return request.method === 'GET' || request.method === 'HEAD' ? BROKEN_CONNECTION_MILLISECONDS : undefined;
    case 'connecting':
      return undefined;
  }
}
