import { respondText } from '../http/index.js';
import type { Filter, RequestContext, RequestInfo } from '../request/index.js';
import { isLongRunning } from './long-running.js';

const READING_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
/** Its members always get an answer. */
const PRIVILEGED_GROUP = 'system:masters';
const RETRY_AFTER_SECONDS = 1;

export interface MaxInFlightOptions {
  /** Limits of concurrent requests: those that read, and all others; 0 = no limit. */
  readonly reading: number;
  readonly mutating: number;
  /** Called for each refused request. */
  readonly onRefused: (context: RequestContext) => void;
}

/**
 * Limits concurrent requests, except long-running ones; refuses further ones at once. Must run after authentication, because it reads the
 * user's groups. Upstream: apiserver `pkg/server/filters/maxinflight.go`.
 */
export function maxInFlight({ reading, mutating, onRefused }: MaxInFlightOptions): Filter {
  const slots = { reading: new Slots(reading), mutating: new Slots(mutating) };
  const slotsOf = ({ info }: RequestContext): Slots => (isReading(info) ? slots.reading : slots.mutating);
  return {
    name: 'max-in-flight',
    enter: (context) => {
      if (isLongRunning(context.info) || slotsOf(context).take(context)) return undefined;
      if (context.user.groups.includes(PRIVILEGED_GROUP)) return undefined;
      onRefused(context);
      return refuseAsTooMany(context, RETRY_AFTER_SECONDS);
    },
    leave: (context) => slotsOf(context).free(context),
  };
}

/** Whether a request reads. Requests for no resource have the verb of their method. */
export function isReading({ verb }: Pick<RequestInfo, 'verb'>): boolean {
  return READING_VERBS.has(verb);
}

class Slots {
  readonly #limit: number;
  readonly #taken = new Set<RequestContext>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(context: RequestContext): boolean {
    if (this.#limit > 0 && this.#taken.size >= this.#limit) return false;
    this.#taken.add(context);
    return true;
  }

  free(context: RequestContext): void {
    this.#taken.delete(context);
  }
}

/** Answers 429 in plain text, like upstream. */
export function refuseAsTooMany(context: RequestContext, retryAfterSeconds: number): void | Promise<void> {
  context.responseHeaders['retry-after'] = String(retryAfterSeconds);
  return respondText(context, 429, 'Too many requests, please try again later.\n');
}
