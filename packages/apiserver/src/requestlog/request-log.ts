import type { Clock } from '@binnacle/apimachinery/clock';
import type { Log, LogRecord } from '@binnacle/apimachinery/logging';
import { formatDuration } from '@binnacle/apimachinery/time';
import { isLongRunning } from '../filters/index.js';
import { countedVerb, scopeOf } from '../metrics/index.js';
import { type Filter, type RequestContext, RequestTrace, type TraceStep } from '../request/index.js';

/** The verbosity of the line for each request. Upstream: `withLoggingLevel`. */
const VERBOSITY = 3;
/** The verbosity of traces. Upstream: `Log` of `k8s.io/utils/trace`. */
const TRACE_VERBOSITY = 2;
/** A request that takes this long has a trace in the log. Upstream: the argument of `span.End` in the handlers. */
const SLOW_MS = 500;
const LOGGER = 'requests';
const SWITCHING_PROTOCOLS = 101;

/** Logs requests when they end. It belongs outermost. */
export function requestLog(log: Log, clock: Pick<Clock, 'monotonic'>): Filter {
  return {
    name: 'request-log',
    enter: (context) => {
      if (log.enabled(TRACE_VERBOSITY)) context.trace = new RequestTrace(clock);
    },
    leave: (context) => {
      const now = clock.monotonic();
      const latency = now - context.receivedAt;
      if (log.enabled(VERBOSITY)) log.info(VERBOSITY, LOGGER, 'HTTP', requestValues(context, latency));
      if (context.trace !== undefined && latency >= SLOW_MS && !isLongRunning(context.info)) {
        log.info(TRACE_VERBOSITY, LOGGER, 'Trace', traceValues(context, latency, now));
      }
    },
  };
}

type Values = LogRecord['values'];

function requestValues(context: RequestContext, latency: number): Values {
  const { exchange, user, auditId } = context;
  const isUpgraded = exchange.status === SWITCHING_PROTOCOLS;
  return [
    ['verb', verbOf(context)],
    ['URI', exchange.url],
    ['latency', shown(latency)],
    ['userAgent', exchange.headers['user-agent'] ?? ''],
    ['audit-ID', auditId],
    ['srcIP', exchange.remoteAddress],
    ['user', user.name],
    ...flowValues(context),
    isUpgraded ? ['hijacked', true] : ['resp', exchange.status],
  ];
}

/** Upstream: the keys of `pkg/server/filters/priority-and-fairness.go`. */
function flowValues({ flow }: RequestContext): Values {
  if (flow === undefined) return [];
  return [
    ['apf_pl', flow.priorityLevel],
    ['apf_fs', flow.flowSchema],
    ['apf_iseats', flow.initialSeats],
    ['apf_fseats', flow.finalSeats],
    ['apf_additionalLatency', shown(flow.additionalLatencyMs)],
  ];
}

function traceValues(context: RequestContext, latency: number, now: number): Values {
  return [
    ['verb', verbOf(context)],
    ['URI', context.exchange.url],
    ['audit-ID', context.auditId],
    ['user', context.user.name],
    ['resp', context.exchange.status],
    ['totalTime', shown(latency)],
    ['steps', describeSteps(context.trace?.steps ?? [], context.receivedAt, now)],
  ];
}

/** `Conversion done 3ms, ..., END 480ms`: each step with the time since the one before it. */
export function describeSteps(steps: readonly TraceStep[], begin: number, end: number): string {
  const all = [...steps, { name: 'END', at: end }];
  return all.map(({ name, at }, index) => `${name} ${Math.round(at - (all[index - 1]?.at ?? begin))}ms`).join(', ');
}

function verbOf(context: RequestContext): string {
  return countedVerb(context, scopeOf(context.info));
}

const shown = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));
