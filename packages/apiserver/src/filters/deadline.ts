import type { Clock } from '@binnacle/apimachinery/clock';
import { parseDuration } from '@binnacle/apimachinery/time';
import { badRequest, type StatusError, timeout } from '@binnacle/apimachinery/status';
import { respondStatus } from '../http/index.js';
import type { Filter, RequestContext } from '../request/index.js';
import { isLongRunning } from './long-running.js';

const NANOSECONDS_PER_MILLISECOND = 1e6;

export interface DeadlineOptions {
  readonly clock: Clock;
  /** The longest duration of a request in milliseconds. A client may set a shorter one with `timeout`. */
  readonly maximum: number;
  /**
   * The longest time in milliseconds until the head of the answer to a write is sent, and the answer when that time has
   * passed. The body has until the deadline of other requests. Default: `maximum`.
   */
  readonly writes?: {
    readonly maximum: number;
    readonly writeError: (context: RequestContext, error: StatusError) => Promise<void>;
  };
  /** Called for each expired request. `isBrokenOff`: its answer had begun. */
  readonly onExpired?: (context: RequestContext, isBrokenOff: boolean) => void;
}

/** Deadlines are checked at this interval, in milliseconds, by one timer for all requests. */
const RESOLUTION = 500;

const WRITING_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/**
 * Answers 504 when a handler exceeds its deadline, and aborts it. A response that has begun is broken off. Long-running
 * requests have no deadline. The filter belongs behind request-info.
 * Upstream: apiserver `pkg/endpoints/handlers/rest.go` (`requestTimeoutUpperBound`), `pkg/server/filters/timeout.go`,
 * `pkg/endpoints/filters/request_deadline.go`.
 */
export function deadline({ clock, maximum, writes, onExpired }: DeadlineOptions): Filter {
  const waiting = new Set<RequestContext>();
  let timer: Disposable | undefined;

  const schedule = (): void => {
    timer = waiting.size === 0 ? undefined : clock.setTimer(sweep, RESOLUTION);
  };
  const sweep = (): void => {
    const now = clock.monotonic();
    for (const context of waiting) {
      if (context.deadline > now) continue;
      const isWriteOver = context.deadline < context.acceptedDeadline;
      if (isWriteOver && context.exchange.answered) {
        context.deadline = context.acceptedDeadline;
        continue;
      }
      waiting.delete(context);
      const isBrokenOff = context.exchange.answered;
      if (isWriteOver && writes !== undefined) expireWrite(context, writes.writeError);
      else expire(context);
      onExpired?.(context, isBrokenOff);
    }
    schedule();
  };

  return {
    name: 'deadline',
    enter: (context) => {
      if (isLongRunning(context.info)) return;
      const asked = allowance(context.query, maximum);
      context.acceptedDeadline = context.receivedAt + asked;
      context.deadline =
        context.receivedAt + (writes !== undefined && isWrite(context) ? Math.min(asked, writes.maximum) : asked);
      waiting.add(context);
      if (timer === undefined) schedule();
    },
    leave: (context) => {
      waiting.delete(context);
    },
  };
}

function expire(context: RequestContext): void {
  const error = timeout('request did not complete within the allotted timeout');
  if (context.exchange.answered) context.exchange.destroy();
  else void respondStatus(context, error);
  context.exchange.abort(error);
}

/** The store or admission took too long. */
function expireWrite(context: RequestContext, writeError: NonNullable<DeadlineOptions['writes']>['writeError']): void {
  const error = timeout('request did not complete within requested timeout - context deadline exceeded');
  writeError(context, error).catch(() => context.exchange.destroy());
  context.exchange.abort(error);
}

function isWrite({ info }: RequestContext): boolean {
  return info.isResourceRequest && WRITING_VERBS.has(info.verb);
}

function allowance(query: URLSearchParams, maximum: number): number {
  const text = query.get('timeout') ?? '';
  if (text === '') return maximum;
  let asked: number;
  try {
    asked = Number(parseDuration(text)) / NANOSECONDS_PER_MILLISECOND;
  } catch (error) {
    throw badRequest(`invalid timeout specified in the request URL - ${error instanceof Error ? error.message : ''}`);
  }
  return asked > 0 && asked < maximum ? asked : maximum;
}
