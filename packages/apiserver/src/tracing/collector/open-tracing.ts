import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { Tracer } from '@binnacle/apimachinery/tracing';
import { CollectorClient } from './collector-client.js';
import type { TracingConfiguration } from './configuration.js';
import { SpanExporter } from './span-exporter.js';

/** A tracer and its way to the collector. The owner closes it after the last request. */
export interface OpenTracing {
  readonly tracer: Tracer;
  /** Sends what waits, within seconds. */
  close(): Promise<void>;
}

export interface TracingParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Called when spans begin to be lost. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Opens a tracer for a server. */
export type StartTracing = (parts: TracingParts) => OpenTracing;

/** Opens what a configuration describes. The collector need not be there yet. */
export function openTracing(configuration: TracingConfiguration, { clock, random, report }: TracingParts): OpenTracing {
  const { endpoint, samplingRatePerMillion } = configuration;
  const exporter = new SpanExporter({
    collector: new CollectorClient(endpoint, clock),
    resource: { 'service.name': 'apiserver', 'service.instance.id': `apiserver-${random.uuid()}` },
    clock,
    report,
  });
  const tracer = new Tracer({ clock, random, samplingRatePerMillion, exportSpan: (span) => exporter.take(span) });
  return { tracer, close: () => exporter.close() };
}
