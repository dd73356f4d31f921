import { type Clock, Deadline, sleep, untilAborted } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';
import type { CreateServer } from '../kubelet/index.js';
import {
  METRICS_HOST,
  type MetricsServer,
  type MetricsSource,
  registerMetrics,
  serveMetrics,
  unregisterMetrics,
} from '../metrics/index.js';

/** Between attempts, in milliseconds. */
const RETRY = 1000;
/** So many failures are not reported: the namespace of the Service may not exist yet. */
const SILENT_ATTEMPTS = 5;
/** How long the removal at the end may take, in milliseconds: the server may be gone. */
const PATIENCE = 2000;

interface MetricsOptions {
  readonly metricsAddress?: string | undefined;
  readonly clock: Clock;
  readonly report: (error: unknown, where: string) => void;
}

interface MetricsParts {
  readonly client: DynamicClient;
  readonly transport: Transport;
  readonly source: MetricsSource;
  /** Default: a server of this machine. */
  readonly createServer?: CreateServer;
}

/** Serves `metrics.k8s.io` until the signal fires, unless another server of the cluster does, or no address is given. Does not reject. */
export async function keepMetrics(options: MetricsOptions, parts: MetricsParts, signal: AbortSignal): Promise<void> {
  const { metricsAddress: address, clock } = options;
  if (address === undefined) return;
  const report = (error: unknown): void => options.report(error, 'metrics');
  const { client, transport: cluster, source, createServer } = parts;
  const served = { source, address, host: METRICS_HOST, cluster, clock, report, createServer };
  let server: MetricsServer | undefined;
  try {
    server = await retried(() => serveMetrics(served), {
      clock,
      report,
      signal,
    });
    const place = server === undefined ? undefined : { port: server.port, authority: server.authority, address };
    if (
      place !== undefined &&
      (await retried(() => registerMetrics(client, place, signal), { clock, report, signal }))
    ) {
      await untilAborted(signal);
      using deadline = new Deadline(clock, PATIENCE, undefined, 'removing the APIService of metrics');
      await unregisterMetrics(client, deadline.signal);
    }
  } catch (error) {
    if (!signal.aborted) report(error);
  }
  await server?.close();
}

interface Attempts {
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Rejects only with the signal's reason. */
async function retried<T>(work: () => Promise<T>, { clock, report, signal }: Attempts): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (attempt > SILENT_ATTEMPTS && !signal.aborted) report(error);
    }
    await sleep(clock, RETRY, signal);
  }
}
