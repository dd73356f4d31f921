import { respondText } from '../http/index.js';
import type { Filter, RequestContext } from '../request/index.js';

const RETRY_AFTER_SECONDS = '5';
const MESSAGE = 'The apiserver is shutting down, please try again later.\n';
/** Probes and scrapes are served until the end. */
const EXEMPT = ['/readyz', '/livez', '/healthz', '/metrics'];

/**
 * Refuses new requests with 429 once `refuses` says so, so that clients repeat them at another server. Requests of the
 * process itself are served. Upstream: apiserver `pkg/server/filters/with_retry_after.go`.
 */
export function shutdownRefusal(refuses: () => boolean): Filter {
  return {
    name: 'shutdown-refusal',
    enter: (context) => {
      if (!refuses() || isExempt(context)) return undefined;
      context.responseHeaders['retry-after'] = RETRY_AFTER_SECONDS;
      // HTTP/2 has no such header, and leaves it out.
      context.responseHeaders['connection'] = 'close';
      return respondText(context, 429, MESSAGE);
    },
  };
}

function isExempt({ path, exchange }: RequestContext): boolean {
  return exchange.caller !== undefined || EXEMPT.some((prefix) => path.startsWith(prefix));
}
