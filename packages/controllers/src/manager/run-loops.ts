import { SharedInformerFactory, withoutManagedFields } from '@binnacle/client/cache';
import { Backoff, type Clock, type Random, sleep, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { ReconcileError } from '@binnacle/client/controller';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { LeaderElector } from '@binnacle/client/leaderelection';
import type { Transport } from '@binnacle/client/transport';
import { setMaxListeners } from 'node:events';
import { type ControlLoop, idleLoop, type LoopContext, type LoopSettings } from '../loop/index.js';
import type { ManagerStatus } from '../status/index.js';
import type { LoopFacts } from '../table/index.js';
import { trimmedEncoding } from './trimmed-encoding.js';
import { withWriteLimit, writeLimitOf } from './write-limit.js';

/** The user of a connection. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  /** Its first part becomes the default field manager. */
  readonly userAgent: string;
  /** The service account in `kube-system` that the user is; absent for the manager. */
  readonly serviceAccount?: string;
}

export interface ManagerOptions {
  readonly loops: readonly LoopFacts[];
  /** Connects to the server as this user. The manager closes the transport. */
  readonly connect: (identity: Identity) => Transport;
  /** PEM bundle with which clients in the cluster verify the server's certificate. */
  readonly certificateAuthority: string;
  /** The cluster has a single API server. Default: false. */
  readonly isSoleServer?: boolean;
  /** See {@link LoopContext.loadBalancerIPRange}. Default: empty. */
  readonly loadBalancerIPRange?: string;
  /** Default: upstream's defaults. */
  readonly settings?: LoopSettings;
  /** Called with failures that last or that end a loop, and the loop or informer they come from. Must not throw. */
  readonly report: (error: unknown, where: string) => void;
  /** Run only while holding the Lease of the component in `kube-system`. Default: false. */
  readonly leaderElection?: boolean;
  /** Upstream's program that has these loops. It names the Lease, the user of informers, and the user agent. Default: `kube-controller-manager`. */
  readonly component?: Component;
  /** Records the starts and failures of loops. Default: nothing does. */
  readonly status?: ManagerStatus | undefined;
  readonly clock?: Clock;
  readonly random?: Random;
}

type Component = 'kube-controller-manager' | 'kube-scheduler';

const FIRST_RESTART_MILLISECONDS = 500;
const MAX_RESTART_MILLISECONDS = 60_000;

const componentOf = ({ component = 'kube-controller-manager' }: ManagerOptions): Component => component;

/** Upstream's Lease, so that its program and this manager exclude each other. Upstream: `--leader-elect-resource-name`. */
const leaseOf = (name: Component) => ({ namespace: 'kube-system', name });

/** Runs the loops. Resolves when the signal has fired and all loops have ended. Does not reject. */
export async function runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, random = systemRandom, report } = options;
  const component = componentOf(options);
  const transports: Transport[] = [];
  const connect = (identity: Identity): Transport => {
    const transport = options.connect(identity);
    transports.push(transport);
    return transport;
  };
  const work = (signal: AbortSignal) => runTogether({ ...options, clock, random, connect }, signal);
  if (options.leaderElection !== true) await work(signal);
  else {
    const client = new DynamicClient(connect(managerIdentity(component, 'leader-election')));
    const onError = (error: unknown) => report(error, 'leader election');
    const elector = new LeaderElector(client, { ...leaseOf(component), clock, random, onError });
    options.status?.electing(component, () => elector.isLeader);
    // After a lost lease all loops have ended. They start from the current state at the next election.
    while (!signal.aborted) await elector.run(work, signal).catch(onError);
  }
  await Promise.all(transports.map(async (transport) => transport.close()));
}

async function runTogether(
  options: ManagerOptions & Pick<LoopContext, 'clock' | 'random'>,
  signal: AbortSignal,
): Promise<void> {
  const {
    connect,
    clock,
    random,
    certificateAuthority,
    isSoleServer = false,
    loadBalancerIPRange = '',
    settings = {},
    report,
    status,
  } = options;
  // Every loop, informer, request and delayed write listens to a signal. Node.js would warn of a leak above ten listeners.
  setMaxListeners(0, signal);
  const transport = connect(managerIdentity(componentOf(options), 'shared-informers'));
  const client = new DynamicClient(transport, { encoding: trimmedEncoding });
  const informers = new SharedInformerFactory(client, {
    clock,
    random,
    onError: report,
    transform: withoutManagedFields,
  });
  const discovery = new DiscoveryClient(transport);
  const given = { certificateAuthority, isSoleServer, loadBalancerIPRange, settings };
  const shared = { informers, discovery, clock, random, metrics: status?.queues, ...given };
  await Promise.all([
    informers.run(signal),
    ...options.loops.map(async (loop) => {
      const connection = connect(identityOf(componentOf(options), loop));
      const transport = withWriteLimit(connection, writeLimitOf(loop, settings), clock);
      const client = new DynamicClient(transport, { encoding: trimmedEncoding });
      const reportOf = (error: unknown) => report(error, loop.name);
      // Events have limits of their own.
      const sinks = [new ApiSink(new DynamicClient(connection), { clock, random })];
      await using events = new EventBroadcaster(sinks, { clock, random, onError: reportOf });
      const context: LoopContext = {
        ...shared,
        client,
        transport,
        events,
        report: (error) => {
          if (!(error instanceof ReconcileError) || error.hasLasted) reportOf(error);
        },
      };
      const stop = AbortSignal.any([signal]);
      setMaxListeners(0, stop);
      await keepRunning(loop, context, status, stop);
    }),
  ]);
}

/** Upstream: the user in the component's kubeconfig as kubeadm writes it. */
function managerIdentity(component: Component, purpose: string): Identity {
  return {
    user: `system:${component}`,
    groups: [],
    userAgent: `${component}/binnacle/${purpose}`,
  };
}

function identityOf(component: Component, { serviceAccount, actsAsManager }: LoopFacts): Identity {
  if (actsAsManager === true) return managerIdentity(component, serviceAccount);
  const user = `system:serviceaccount:kube-system:${serviceAccount}`;
  return {
    user,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
    userAgent: `${component}/binnacle/${user}`,
    serviceAccount,
  };
}

/** A loop that fails restarts without the others. One that has run for longer than the longest delay starts with the shortest. */
async function keepRunning(
  loop: LoopFacts,
  context: LoopContext,
  status: ManagerStatus | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, report } = context;
  const jitter = { share: 0.1, random };
  const backoff = new Backoff({ initial: FIRST_RESTART_MILLISECONDS, maximum: MAX_RESTART_MILLISECONDS, jitter });
  while (!signal.aborted) {
    const since = clock.monotonic();
    const failure = await runOnce(loop, context, status, signal);
    if (signal.aborted) break;
    status?.failed(loop.name, failure);
    report(failure);
    if (clock.monotonic() - since > MAX_RESTART_MILLISECONDS) backoff.reset();
    await sleep(clock, backoff.next(), signal).catch(() => undefined);
  }
  status?.stopped(loop.name);
}

/** Resolves to the reason why the loop has ended. */
async function runOnce(
  loop: LoopFacts,
  context: LoopContext,
  status: ManagerStatus | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const running: ControlLoop = (await hasWork(loop, context, signal)) ? await loop.create(context) : idleLoop;
    if (signal.aborted) return undefined;
    status?.started(loop.name);
    await running.run(signal);
    return new Error('the loop has ended without a request to stop');
  } catch (error) {
    return error;
  }
}

/** A server decides at its start which resources it serves, so one look is enough. */
async function hasWork({ needs }: LoopFacts, { discovery }: LoopContext, signal: AbortSignal): Promise<boolean> {
  return needs === undefined || discovery.serves(needs, { signal });
}
