import { ownText } from './own-text.js';

/** Which trace and span a request belongs to. Upstream: W3C Trace Context, level 1. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  /** Whether the spans of the trace are recorded. */
  readonly isSampled: boolean;
  /** The header `tracestate`, as received; '' = none. */
  readonly state: string;
}

/** W3C: every system must propagate at least 512 characters. */
const LONGEST_STATE = 512;
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZERO = /^0+$/;

/** Reads the header `traceparent` and, if that is valid, `tracestate`. Undefined: the request belongs to no trace. */
export function readTraceContext(parent: string | undefined, state = ''): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = PARENT.exec(parent?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return undefined;
  return {
    traceId: ownText(traceId),
    spanId: ownText(spanId),
    isSampled: (Number.parseInt(flags, 16) & 1) === 1,
    state: state.length <= LONGEST_STATE && /^[\x20-\x7e]*$/.test(state) ? state : '',
  };
}

/** The headers that {@link readTraceContext} reads. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): Readonly<Record<string, string>> {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}
