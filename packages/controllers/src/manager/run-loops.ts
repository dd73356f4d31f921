import { SharedInformerFactory } from '@binnacle/client/cache';
import { Backoff, type Clock, type Random, sleep, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { ReconcileError } from '@binnacle/client/controller';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { type AnyObject, DynamicClient } from '@binnacle/client/dynamic';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { LeaderElector } from '@binnacle/client/leaderelection';
import type { Transport } from '@binnacle/client/transport';
import { setMaxListeners } from 'node:events';
import type { ControlLoop, LoopContext, LoopSettings } from '../loop/index.js';
import type { LoopFacts } from '../table/index.js';
import { withWriteLimit, writeLimitOf } from './write-limit.js';

/** The user of a connection. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  /** Its first part becomes the default field manager. */
  readonly userAgent: string;
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
  /** Run only while holding the Lease `kube-system/kube-controller-manager`. Default: false. */
  readonly leaderElection?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
}

const FIRST_RESTART_MILLISECONDS = 500;
const MAX_RESTART_MILLISECONDS = 60_000;

/** The Lease of kube-controller-manager, so that it and this manager exclude each other. Upstream: `--leader-elect-resource-name`. */
const lease = { namespace: 'kube-system', name: 'kube-controller-manager' };

/** Runs the loops. Resolves when the signal has fired and all loops have ended. Does not reject. */
export async function runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, random = systemRandom, report } = options;
  const transports: Transport[] = [];
  const connect = (identity: Identity): Transport => {
    const transport = options.connect(identity);
    transports.push(transport);
    return transport;
  };
  const work = (signal: AbortSignal) => runTogether({ ...options, clock, random, connect }, signal);
  if (options.leaderElection !== true) await work(signal);
  else {
    const client = new DynamicClient(connect(managerIdentity('leader-election')));
    const onError = (error: unknown) => report(error, 'leader election');
    const elector = new LeaderElector(client, { ...lease, clock, random, onError });
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
  } = options;
  // Every loop, informer, request and delayed write listens to a signal. Node would warn of a leak above ten listeners.
  setMaxListeners(0, signal);
  const transport = connect(managerIdentity('shared-informers'));
  const client = new DynamicClient(transport);
  const informers = new SharedInformerFactory(client, {
    clock,
    random,
    onError: report,
    transform: withoutManagedFields,
  });
  const discovery = new DiscoveryClient(transport);
  const given = { certificateAuthority, isSoleServer, loadBalancerIPRange, settings };
  const shared = { informers, discovery, clock, random, ...given };
  await Promise.all([
    informers.run(signal),
    ...options.loops.map(async (loop) => {
      const connection = connect(identityOf(loop));
      const transport = withWriteLimit(connection, writeLimitOf(loop, settings), clock);
      const client = new DynamicClient(transport);
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
          if (hasLasted(error)) reportOf(error);
        },
      };
      const stop = AbortSignal.any([signal]);
      setMaxListeners(0, stop);
      await keepRunning(loop, context, stop);
    }),
  ]);
}

/** No loop reads them, and they are a third of a pod. An update without them leaves those of the server. */
function withoutManagedFields<T extends AnyObject>(object: T): T {
  const { metadata } = object;
  if (metadata === undefined || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Upstream: the user in kube-controller-manager's kubeconfig as kubeadm writes it. */
function managerIdentity(purpose: string): Identity {
  return {
    user: 'system:kube-controller-manager',
    groups: [],
    userAgent: `kube-controller-manager/binnacle/${purpose}`,
  };
}

/** Upstream: `--use-service-account-credentials`. */
function identityOf({ serviceAccount, actsAsManager }: LoopFacts): Identity {
  if (actsAsManager === true) return managerIdentity(serviceAccount);
  const user = `system:serviceaccount:kube-system:${serviceAccount}`;
  return {
    user,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
    userAgent: `kube-controller-manager/binnacle/${user}`,
  };
}

/**
 * A reconcile that loses a race succeeds on retry and is not reported. A lasting failure is reported at the 8th attempt, about a second after
 * the first with client-go's delays, then at the 16th, the 32nd and so on.
 */
function hasLasted(error: unknown): boolean {
  if (!(error instanceof ReconcileError) || !error.willRetry) return true;
  return error.failures >= 8 && Number.isInteger(Math.log2(error.failures));
}

async function keepRunning(loop: LoopFacts, context: LoopContext, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff({
    initial: FIRST_RESTART_MILLISECONDS,
    maximum: MAX_RESTART_MILLISECONDS,
    jitter: { share: 0.1, random: context.random },
  });
  while (!signal.aborted) {
    try {
      const running: ControlLoop = await loop.create(context);
      if (signal.aborted) return;
      await running.run(signal);
      if (!signal.aborted) context.report(new Error('the loop has ended without a request to stop'));
    } catch (error) {
      if (!signal.aborted) context.report(error);
    }
    await sleep(context.clock, backoff.next(), signal).catch(() => undefined);
  }
}
