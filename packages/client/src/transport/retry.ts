import { type Clock, sleep } from '../clock/index.js';
import { ConnectionError, type Send, type TransportRequest, type TransportResponse } from './exchange.js';

const MOST_RETRIES = 10;
/** Before a read is repeated whose connection broke. */
const BROKEN_CONNECTION_MILLISECONDS = 1000;

/**
 * Repeats what the server asks to be repeated, and what it cannot have acted on. After the last attempt its answer, or error, counts.
 * Upstream: client-go `rest.withRetry`.
 */
export function withRetry(next: Send, clock: Clock): Send {
  return async (request, options) => {
    for (let retries = 0; ; retries++) {
      const last = retries === MOST_RETRIES;
      let wait: number | undefined;
      try {
        const response = await next(request, options);
        wait = last ? undefined : retryAfterMilliseconds(response, clock);
        if (wait === undefined) return response;
        response.cancel();
      } catch (error) {
        wait = last ? undefined : delayAfter(error, request);
        if (wait === undefined) throw error;
      }
      await sleep(clock, wait, options.signal);
    }
  };
}

/** Undefined: not to be repeated. A server that may have acted answers without the header. */
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
