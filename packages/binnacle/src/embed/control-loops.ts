import type { Log } from '@binnacle/apimachinery/logging';
import type { RunningServer } from '@binnacle/apiserver';
import type { Transport, TransportObserver } from '@binnacle/client/transport';
import type { Identity, ManagerOptions } from '@binnacle/controllers';
import type { ManagerStatus } from '@binnacle/controllers/status';
import type { ReadConfiguration } from '@binnacle/scheduler/config';
import type { SchedulerOptions } from '@binnacle/scheduler/loop';
import type { NodesOptions } from '@binnacle/nodes';
import type { StartOptions } from './options/options.js';
import type { Parts } from './parts.js';

/** Where clients in this process run, and where they report failures. */
export interface LoopHost {
  readonly parts: Parts;
  readonly server: RunningServer;
  readonly log: Log;
}

type LoopOptions = Pick<
  ManagerOptions,
  'loops' | 'certificateAuthority' | 'isSoleServer' | 'leaderElection' | 'loadBalancerIPRange' | 'settings' | 'status'
>;

/**
 * Starts control loops for a ready server, in the same process. Returns the function that stops them. Their code loads
 * after the caller of `start()` has continued, so it does not delay a start.
 */
export function startLoops(host: LoopHost, options: LoopOptions): () => Promise<void> {
  if (options.loops.length === 0) return () => Promise.resolve();
  const work: Run = (given, signal) => host.parts.runLoops({ ...options, ...given }, signal);
  return startClients(host, 'controllers', work, options.status);
}

interface SchedulerStart extends Pick<SchedulerOptions, 'leaderElection' | 'status'> {
  /** The configuration file, if there is one. */
  readonly read: ReadConfiguration | undefined;
}

/** Starts a scheduler in the same way. */
export function startScheduler(host: LoopHost, { read, ...options }: SchedulerStart): () => Promise<void> {
  const { configuration, warnings = [] } = read ?? {};
  for (const warning of warnings) host.log.info(0, 'scheduler', warning, [['flag', '--scheduler-config']]);
  const work: Run = (given, signal) => host.parts.runScheduler({ ...options, configuration, ...given }, signal);
  return startClients(host, 'scheduler', work, options.status);
}

/** Where nodes listen. */
const LOOPBACK = '127.0.0.1';

type NodesStart = Pick<StartOptions, 'nodes' | 'processNodes' | 'nodeMetrics'>;
type ProcessNodesOptions = NonNullable<NodesOptions['processNodes']>;

/** Starts nodes in the same way. */
export function startNodes(
  host: LoopHost,
  { nodes: count = 0, processNodes = 0, nodeMetrics = true }: NodesStart,
  { imageCommands, server }: Omit<ProcessNodesOptions, 'count'>,
): () => Promise<void> {
  if (count === 0 && processNodes === 0) return () => Promise.resolve();
  const processes = processNodes === 0 ? undefined : { count: processNodes, imageCommands, server };
  const serving = { kubelet: { address: LOOPBACK }, ...(nodeMetrics ? { metricsAddress: LOOPBACK } : {}) };
  return startClients(host, 'nodes', (given, signal) =>
    host.parts.runNodes({ count, processNodes: processes, ...serving, ...given }, signal),
  );
}

type Given = Required<Pick<ManagerOptions, 'connect' | 'report' | 'clock' | 'random'>>;
type Run = (given: Given, signal: AbortSignal) => Promise<void>;

/** The host of requests that need no network, in metrics. */
const IN_PROCESS = 'in-process';

function startClients(
  { parts, server, log }: LoopHost,
  name: string,
  work: Run,
  status?: ManagerStatus,
): () => Promise<void> {
  const stopping = new AbortController();
  const report = (error: unknown, where: string): void => log.error(name, where, error);
  const observer = status?.clients.observerFor(IN_PROCESS);
  const running = run(parts, server, { work, report, observer, signal: stopping.signal }).catch((error: unknown) =>
    report(error, 'start'),
  );
  return () => {
    stopping.abort(new Error(`${name}: the server is stopping`));
    return running;
  };
}

interface ClientStart {
  readonly work: Run;
  readonly report: Given['report'];
  readonly observer: TransportObserver | undefined;
  readonly signal: AbortSignal;
}

async function run(
  { clock, random }: Parts,
  server: RunningServer,
  { work, report, observer, signal }: ClientStart,
): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (signal.aborted) return;
  const { transportOver } = await import('@binnacle/client/transport');
  const connect = ({ user: name, groups, userAgent }: Identity): Transport =>
    transportOver(
      (request, { signal }) => server.send({ ...request, user: { name, uid: '', groups, extra: {} } }, signal),
      // Control loops watch all kinds, including deprecated ones.
      { userAgent, onWarning: () => undefined, clock, observer },
    );
  await work({ connect, report, clock, random }, signal);
}
