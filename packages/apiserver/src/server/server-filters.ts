import { respondWithError } from '../answers/index.js';
import type { Authenticate } from '../authentication/index.js';
import { type AuditOptions, auditFilters } from '../audit/index.js';
import {
  auditId,
  authentication,
  authorization,
  cacheControl,
  deadline,
  impersonation,
  type InFlightRequests,
  longRunningLimit,
  type MemoryCeiling,
  requestInfo,
  shutdownRefusal,
} from '../filters/index.js';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { Authorizer } from '../authorization/index.js';
import {
  filterTimes,
  impersonationMetrics,
  observedAuthenticate,
  observedAuthorizer,
  type RequestMetrics,
} from '../metrics/index.js';
import type { Filter } from '../request/index.js';
import { requestLog } from '../requestlog/index.js';
import { type OpenTracing, tracing } from '../tracing/index.js';
import type { ServerConfig } from './config.js';

/** The timeout of an ordinary request. Upstream: `--request-timeout`. */
const REQUEST_TIMEOUT_MS = 60_000;
/** The timeout of a write. Upstream: `requestTimeoutUpperBound`. */
const WRITE_TIMEOUT_MS = 34_000;
const GATEWAY_TIMEOUT = 504;

export interface FilterParts {
  readonly registry: MetricRegistry;
  readonly requests: RequestMetrics;
  readonly authenticate: Authenticate;
  readonly authorizer: Authorizer;
  readonly inFlight: InFlightRequests;
  /** Which requests may start. Of the memory of a request that waits, the ceiling counts only a large head. */
  readonly flowControl: Filter;
  readonly ceiling: MemoryCeiling;
  /** Undefined: nothing is recorded. */
  readonly audit: AuditOptions | undefined;
  /** Undefined: no request has spans. */
  readonly tracing: OpenTracing | undefined;
  /** Whether new requests are refused, because the server is about to end. */
  readonly refuses: () => boolean;
}

/** Outermost first: every request passes in this order. */
export function createFilters(config: ServerConfig, parts: FilterParts): readonly Filter[] {
  const { registry, requests, authenticate, authorizer, inFlight, flowControl, ceiling, refuses } = parts;
  const { clock, random } = config;
  const audit = parts.audit === undefined ? undefined : auditFilters(parts.audit, clock);
  const timed = filterTimes(registry, () => clock.monotonic());
  return [
    requestLog(config.log, clock),
    auditId(random),
    cacheControl,
    shutdownRefusal(refuses),
    requestInfo,
    inFlight.filter,
    deadline({
      clock,
      maximum: REQUEST_TIMEOUT_MS,
      writes: { maximum: WRITE_TIMEOUT_MS, writeError: respondWithError },
      onExpired: (context, isBrokenOff) => {
        requests.terminated(context, GATEWAY_TIMEOUT);
        if (isBrokenOff) requests.aborted(context);
      },
    }),
    ceiling.heads,
    ...(audit === undefined ? [] : [audit.failedAuthentication]),
    timed('authentication', authentication(observedAuthenticate(authenticate, registry, clock))),
    ...(parts.tracing === undefined ? [] : [tracing(parts.tracing.tracer, clock)]),
    ...(audit === undefined ? [] : [timed('audit', audit.requests)]),
    longRunningLimit(),
    timed('constrainedimpersonation', impersonation(authorizer, clock, impersonationMetrics(registry))),
    config.priorityAndFairness ? timed('priorityandfairness', flowControl) : flowControl,
    ceiling.filter,
    timed('authorization', authorization(observedAuthorizer(authorizer, registry, clock))),
    requests.filter,
    ...(config.faults === undefined ? [] : [config.faults.filter(clock)]),
  ];
}
