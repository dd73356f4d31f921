import type { TraceContext } from './trace-context.js';

/** `server` answers a request, `client` makes one, `internal` does neither. */
export type SpanKind = 'internal' | 'server' | 'client';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** One timed part of a request. A span that is not sampled records nothing, and only carries its trace to others. */
export interface Span {
  /** Headers by which a service that is called continues the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** Begins a part of this one, which may outlast it. */
  begin(name: string, attributes?: SpanAttributes): Span;
  set(attributes: SpanAttributes): void;
  /** Something happened at this time: milliseconds of monotonic time. */
  addEvent(name: string, at: number): void;
  /** Hands the span over for export. A second call does nothing. */
  end(): void;
}

/** A part of a request that is over. */
export interface EndedSpan {
  readonly context: TraceContext;
  /** The span that it is part of; undefined for the first one of a trace. */
  readonly parentSpanId: string | undefined;
  /** Whether another program began the parent. */
  readonly isParentRemote: boolean;
  /** A trace that this one follows without being part of it. */
  readonly link: TraceContext | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Unix time in milliseconds, as are all times here. */
  readonly start: number;
  readonly end: number;
  readonly attributes: SpanAttributes;
  readonly events: readonly { readonly name: string; readonly at: number }[];
}
