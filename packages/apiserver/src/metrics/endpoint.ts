import {
  formatText,
  type GatheredMetric,
  type MetricRegistry,
  TEXT_FORMAT,
  textPieces,
} from '@binnacle/apimachinery/metrics';
import { methodNotAllowed } from '@binnacle/apimachinery/status';
import type { FeatureState } from '../features/index.js';
import { bodyOf, writeResponse } from '../http/index.js';
import type { Handler } from '../request/index.js';
import { processFacts, releaseFacts } from './process-facts.js';

const PIECE_CHARACTERS = 32 * 1024;

export interface MetricsEndpointOptions {
  /** The registry of `/metrics`; process metrics are added to it. */
  readonly registry: MetricRegistry;
  /** The registry of `/metrics/slis`: health checks. */
  readonly health: MetricRegistry;
  /** The document of `/version`. */
  readonly version: Readonly<Record<string, unknown>>;
  readonly features: readonly FeatureState[];
  /** Returns the metrics of all processes at a path. Default: this process is the only one. */
  readonly all?: ((path: string) => Promise<string>) | undefined;
}

export interface MetricsEndpoint {
  handlerFor(path: string): Handler | undefined;
  readonly paths: readonly string[];
  /** The metrics of this process at one of the paths. */
  textOf(path: string): Promise<string>;
}

/** Serves metrics in Prometheus text format. The process collectors are loaded at the first scrape. */
export function metricsEndpoint({ registry, health, version, features, all }: MetricsEndpointOptions): MetricsEndpoint {
  registry.readings(processFacts.build, () => [[buildLabels(version), 1]]);
  registry.readings(releaseFacts.version, () => [[releaseLabels(version), 1]]);
  registry.readings(releaseFacts.feature, () =>
    features.map(([name, stage, isOn]) => [[name, stage], Number(isOn)] as const),
  );
  let observingProcess = false;
  const sources = new Map<string, () => Promise<readonly GatheredMetric[]>>([
    [
      '/metrics',
      async () => {
        const { readProcess } = await import('./process-readings.js');
        if (!observingProcess) readProcess(registry);
        observingProcess = true;
        return registry.gather();
      },
    ],
    ['/metrics/slis', () => health.gather()],
  ]);
  return {
    handlerFor: (path) => {
      const gather = sources.get(path);
      if (gather === undefined) return undefined;
      return readOnly(async (context) => {
        await respond(context, all === undefined ? linesOf(await gather()) : piecesOf(await all(path)));
      });
    },
    paths: [...sources.keys()],
    textOf: async (path) => formatText((await sources.get(path)?.()) ?? []),
  };
}

const readOnly =
  (handler: Handler): Handler =>
  (context) => {
    const { method } = context.exchange;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    return handler(context);
  };

async function respond(context: Parameters<Handler>[0], pieces: Iterable<Uint8Array>): Promise<void> {
  await writeResponse(
    context,
    200,
    { 'content-type': TEXT_FORMAT },
    bodyOf(() => pieces),
  );
}

/** Made while the client takes them. */
function* linesOf(metrics: readonly GatheredMetric[]): Generator<Uint8Array> {
  for (const text of textPieces(metrics)) yield Buffer.from(text);
}

/** Pieces of whole lines, made while the client takes them. Several answers may share the text. */
function* piecesOf(text: string): Generator<Uint8Array> {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', start + PIECE_CHARACTERS);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    yield Buffer.from(text.slice(start, end));
    start = end;
  }
}

type Version = MetricsEndpointOptions['version'];

function fieldOf(version: Version, name: string): string {
  const value = version[name];
  return typeof value === 'string' ? value : '';
}

/** Upstream names the server `kube`. */
function releaseLabels(version: Version) {
  const field = (name: string): string => fieldOf(version, name);
  const binary = field('gitVersion').replace(/^v|\+.*$/g, '');
  const emulation = `${field('emulationMajor')}.${field('emulationMinor')}`;
  return ['kube', binary, emulation, `${field('minCompatibilityMajor')}.${field('minCompatibilityMinor')}`] as const;
}

function buildLabels(version: Version) {
  const field = (name: string): string => fieldOf(version, name);
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
