import { BatchQueue } from '@binnacle/apimachinery/batching';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { EndedSpan } from '@binnacle/apimachinery/tracing';
import { encodeSpans, type SpanResource } from '@binnacle/apimachinery/tracing/encoding';
import type { CollectorClient } from './collector-client.js';

/** Upstream: the defaults of OpenTelemetry's batch span processor. */
const BATCHES = { bufferSize: 2048, maximumBatchSize: 512, maximumWaitMs: 5000 };
const SCOPE = 'binnacle';
/** How long the end of the server waits for a collector that does not answer, in milliseconds. */
const CLOSING_MS = 1500;
/** About how many bytes of memory a span takes, without its texts. */
const SPAN_SIZE = 500;

export interface SpanExporterOptions {
  readonly collector: Pick<CollectorClient, 'export' | 'endSoon' | 'close'>;
  readonly resource: SpanResource;
  readonly clock: Clock;
  /** Called when spans begin to be lost; not again before others have arrived. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Sends ended spans to a collector in batches. Requests never wait for it. */
export class SpanExporter {
  readonly #queue: BatchQueue<EndedSpan>;
  #isLosing = false;

  constructor({ collector, resource, clock, report }: SpanExporterOptions) {
    const send = async (spans: readonly EndedSpan[]): Promise<void> => {
      await collector.export(encodeSpans(resource, SCOPE, spans));
      this.#isLosing = false;
    };
    const lost = (error: unknown): void => {
      if (!this.#isLosing) report(error);
      this.#isLosing = true;
    };
    this.#queue = new BatchQueue(BATCHES, {
      target: { send, close: () => collector.close(), endSoon: (withinMs) => collector.endSoon(withinMs) },
      clock,
      lost,
      sizeOf: sizeOfSpan,
      full: 'too many spans wait for the collector',
    });
  }

  take(span: EndedSpan): void {
    this.#queue.add(span);
  }

  /** Sends the spans that wait, within 1.5 s. */
  close(): Promise<void> {
    return this.#queue.close(CLOSING_MS);
  }
}

function sizeOfSpan({ name, attributes }: EndedSpan): number {
  const texts = Object.values(attributes).map((value) => (typeof value === 'string' ? value.length : 0));
  return SPAN_SIZE + name.length + texts.reduce((sum, length) => sum + length, 0);
}
