import type { Clock, Random } from '../clock/index.js';
import { ownText } from './own-text.js';
import type { EndedSpan, Span, SpanAttributes, SpanKind } from './span.js';
import { type TraceContext, traceHeaders } from './trace-context.js';

export interface TracerOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  /** How many of a million traces that begin here are recorded. */
  readonly samplingRatePerMillion: number;
  /** Takes each ended span. Must not throw. */
  readonly exportSpan: (span: EndedSpan) => void;
}

/** The start of a trace. */
export interface TraceStart {
  /** The trace of the caller. */
  readonly remote: TraceContext | undefined;
  /** Whether this trace is part of the caller's, and sampled as that is; otherwise it only names that one. */
  readonly continues: boolean;
  /** Milliseconds of monotonic time. */
  readonly at: number;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const LONGEST_TEXT = 1024;
const MOST_EVENTS = 64;
const MILLION = 1_000_000n;

/**
 * Begins traces. One that continues another is sampled as that one is; of the others, a share that the number of the trace
 * decides, so that all programs decide alike.
 */
export class Tracer {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /** Undefined if nothing is recorded and there is no trace to carry on. */
  begin(name: string, kind: SpanKind, { remote, continues, at }: TraceStart): Span | undefined {
    const { random, samplingRatePerMillion } = this.#options;
    const parent = continues ? remote : undefined;
    if (parent?.isSampled === false) return new PassingSpan(parent);
    if (parent === undefined && samplingRatePerMillion <= 0) return undefined;
    const traceId = parent?.traceId ?? identifier(random, TRACE_ID_BYTES);
    if (parent === undefined && !isSampled(traceId, samplingRatePerMillion)) return undefined;
    return new RecordedSpan(this.#options, {
      context: {
        traceId,
        spanId: identifier(random, SPAN_ID_BYTES),
        isSampled: true,
        state: parent?.state ?? '',
      },
      parentSpanId: parent?.spanId,
      isParentRemote: parent !== undefined,
      link: continues ? undefined : remote,
      name,
      kind,
      at,
    });
  }
}

/** Upstream: `TraceIDRatioBased` of OpenTelemetry for Go. */
export function isSampled(traceId: string, ratePerMillion: number): boolean {
  return (BigInt(`0x${traceId.slice(16)}`) >> 1n) * MILLION < BigInt(ratePerMillion) << 63n;
}

function identifier(random: Pick<Random, 'bytes'>, length: number): string {
  const text = Buffer.from(random.bytes(length)).toString('hex');
  return /[^0]/.test(text) ? text : `${text.slice(1)}1`;
}

function cut(text: string): string {
  return ownText(text.slice(0, LONGEST_TEXT));
}

/** Passes the caller's trace on to the services that are called. */
class PassingSpan implements Span {
  readonly headers: Readonly<Record<string, string>>;

  constructor(context: TraceContext) {
    this.headers = traceHeaders(context);
  }

  begin(): Span {
    return this;
  }

  set(): void {}
  addEvent(): void {}
  end(): void {}
}

interface SpanStart extends Pick<EndedSpan, 'context' | 'parentSpanId' | 'isParentRemote' | 'link' | 'name' | 'kind'> {
  /** Milliseconds of monotonic time. */
  readonly at: number;
}

class RecordedSpan implements Span {
  readonly #options: TracerOptions;
  readonly #span: SpanStart;
  /**
   * Wall time minus monotonic time, at the beginning of the trace: all its spans use one clock, even if the wall clock is
   * changed.
   */
  readonly #epoch: number;
  readonly #attributes: Record<string, string | number> = {};
  readonly #events: { readonly name: string; readonly at: number }[] = [];
  #isOver = false;

  constructor(options: TracerOptions, span: SpanStart, epoch?: number) {
    const { clock } = options;
    this.#options = options;
    this.#span = span;
    this.#epoch = epoch ?? clock.now() - clock.monotonic();
  }

  get headers(): Readonly<Record<string, string>> {
    return traceHeaders(this.#span.context);
  }

  begin(name: string, attributes: SpanAttributes = {}): Span {
    const { context } = this.#span;
    const { clock, random } = this.#options;
    const child = new RecordedSpan(
      this.#options,
      {
        context: { ...context, spanId: identifier(random, SPAN_ID_BYTES) },
        parentSpanId: context.spanId,
        isParentRemote: false,
        link: undefined,
        name,
        kind: 'internal',
        at: clock.monotonic(),
      },
      this.#epoch,
    );
    child.set(attributes);
    return child;
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      this.#attributes[name] = typeof value === 'string' ? cut(value) : value;
    }
  }

  addEvent(name: string, at: number): void {
    if (this.#events.length < MOST_EVENTS) this.#events.push({ name, at: this.#epoch + at });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { clock, exportSpan } = this.#options;
    const { at, name, ...span } = this.#span;
    exportSpan({
      ...span,
      name: cut(name),
      start: this.#epoch + at,
      end: this.#epoch + clock.monotonic(),
      attributes: this.#attributes,
      events: this.#events,
    });
  }
}
