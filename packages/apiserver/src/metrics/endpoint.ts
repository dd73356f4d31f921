import { type GatheredMetric, type MetricRegistry, TEXT_FORMAT, textPieces } from '@binnacle/apimachinery/metrics';
import { methodNotAllowed } from '@binnacle/apimachinery/status';
import { bodyOf, writeResponse } from '../http/index.js';
import type { Handler } from '../request/index.js';
import { processFacts } from './process-facts.js';

export interface MetricsEndpointOptions {
  /** The registry of `/metrics`; process metrics are added to it. */
  readonly registry: MetricRegistry;
  /** The registry of `/metrics/slis`: health checks. */
  readonly health: MetricRegistry;
  /** The document of `/version`. */
  readonly version: Readonly<Record<string, unknown>>;
}

export interface MetricsEndpoint {
  handlerFor(path: string): Handler | undefined;
  readonly paths: readonly string[];
}

/** Serves metrics in Prometheus text format. The process collectors are loaded at the first scrape. */
export function metricsEndpoint({ registry, health, version }: MetricsEndpointOptions): MetricsEndpoint {
  registry.readings(processFacts.build, () => [[buildLabels(version), 1]]);
  let observingProcess = false;
  const handlers = new Map<string, Handler>([
    [
      '/metrics',
      readOnly(async (context) => {
        const { readProcess } = await import('./process-readings.js');
        if (!observingProcess) readProcess(registry);
        observingProcess = true;
        await respond(context, registry);
      }),
    ],
    ['/metrics/slis', readOnly((context) => respond(context, health))],
  ]);
  return { handlerFor: (path) => handlers.get(path), paths: [...handlers.keys()] };
}

const readOnly =
  (handler: Handler): Handler =>
  (context) => {
    const { method } = context.exchange;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    return handler(context);
  };

async function respond(context: Parameters<Handler>[0], registry: MetricRegistry): Promise<void> {
  const metrics = await registry.gather();
  const body = bodyOf(() => linesOf(metrics));
  await writeResponse(context, 200, { 'content-type': TEXT_FORMAT }, body);
}

/** Made while the client takes them. */
function* linesOf(metrics: readonly GatheredMetric[]): Generator<Uint8Array> {
  for (const text of textPieces(metrics)) yield Buffer.from(text);
}

function buildLabels(version: MetricsEndpointOptions['version']) {
  const field = (name: string): string => {
    const value = version[name];
    return typeof value === 'string' ? value : '';
  };
  return [
    field('major'),
    field('minor'),
    field('gitVersion'),
    field('gitCommit'),
    field('gitTreeState'),
    field('buildDate'),
    field('goVersion'),
    field('compiler'),
    field('platform'),
  ] as const;
}
