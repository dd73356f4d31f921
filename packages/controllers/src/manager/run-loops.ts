import { SharedInformerFactory } from '@binnacle/client/cache';
import { Backoff, type Clock, sleep, systemClock } from '@binnacle/client/clock';
import { ReconcileError } from '@binnacle/client/controller';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import { LeaderElector } from '@binnacle/client/leaderelection';
import type { Transport } from '@binnacle/client/transport';
import { setMaxListeners } from 'node:events';
import type { ControlLoop, LoopContext } from '../loop/index.js';
import type { LoopFacts } from '../table/index.js';

/** Who asks a server. */
export interface Identity {
  readonly user: string;
  readonly groups: readonly string[];
  /** Begins with the name that owns what is written. */
  readonly userAgent: string;
}

export interface ManagerOptions {
  readonly loops: readonly LoopFacts[];
  /** A way to the server as somebody. The manager closes it. */
  readonly connect: (identity: Identity) => Transport;
  /** PEM of what clients inside the cluster check the server's certificate against. */
  readonly certificateAuthority: string;
  /** All requests to the cluster go through this one server. Default: false. */
  readonly isSoleServer?: boolean;
  /** Told of failures that last, or that end a loop, and in which loop or informer. Must not throw. */
  readonly report: (error: unknown, where: string) => void;
  /** Work only while no other manager does: one that shares the Lease `kube-system/kube-controller-manager`. Default: false. */
  readonly leaderElection?: boolean;
  readonly clock?: Clock;
}

const FIRST_RESTART_MILLISECONDS = 500;
const LONGEST_RESTART_MILLISECONDS = 60_000;

/** Upstream: `--leader-elect-resource-name`, so that either manager waits for the other. */
const lease = { namespace: 'kube-system', name: 'kube-controller-manager' };

/** Runs the loops. Resolves when the signal has fired and nothing of any of them is under way any more; does not reject. */
export async function runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, report } = options;
  const transports: Transport[] = [];
  const connect = (identity: Identity): Transport => {
    const transport = options.connect(identity);
    transports.push(transport);
    return transport;
  };
  const work = (signal: AbortSignal) => runTogether({ ...options, clock, connect }, signal);
  if (options.leaderElection !== true) await work(signal);
  else {
    const client = new DynamicClient(connect(managerIdentity('leader-election')));
    const onError = (error: unknown) => report(error, 'leader election');
    const elector = new LeaderElector(client, { ...lease, clock, onError });
    // Who has lost stands again: everything has ended, and begins with what there is then.
    while (!signal.aborted) await elector.run(work, signal).catch(onError);
  }
  await Promise.all(transports.map(async (transport) => transport.close()));
}

async function runTogether(options: ManagerOptions & { readonly clock: Clock }, signal: AbortSignal): Promise<void> {
  const { connect, clock, certificateAuthority, isSoleServer = false, report } = options;
  // Every loop, informer and request listens to it, and Node takes more than ten for a leak.
  setMaxListeners(0, signal);
  const transport = connect(managerIdentity('shared-informers'));
  const informers = new SharedInformerFactory(new DynamicClient(transport), { clock, onError: report });
  const discovery = new DiscoveryClient(transport);
  const shared = { informers, discovery, clock, certificateAuthority, isSoleServer };
  await Promise.all([
    informers.run(signal),
    ...options.loops.map((loop) => {
      const ownTransport = connect(identityOf(loop));
      const context: LoopContext = {
        ...shared,
        client: new DynamicClient(ownTransport),
        transport: ownTransport,
        report: (error) => {
          if (hasLasted(error)) report(error, loop.name);
        },
      };
      return keepRunning(loop, context, AbortSignal.any([signal]));
    }),
  ]);
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
function identityOf({ serviceAccount }: LoopFacts): Identity {
  const user = `system:serviceaccount:kube-system:${serviceAccount}`;
  return {
    user,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
    userAgent: `kube-controller-manager/binnacle/${user}`,
  };
}

/**
 * Reconciles race with others and lose now and then; that they are tried again is no news. A failure that goes on is told of at the eighth
 * attempt, which client-go's delays make a second, and then ever more rarely.
 */
function hasLasted(error: unknown): boolean {
  if (!(error instanceof ReconcileError) || !error.willRetry) return true;
  return error.failures >= 8 && Number.isInteger(Math.log2(error.failures));
}

async function keepRunning(loop: LoopFacts, context: LoopContext, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff({
    initial: FIRST_RESTART_MILLISECONDS,
    factor: 2,
    maximum: LONGEST_RESTART_MILLISECONDS,
    jitter: 0.1,
  });
  while (!signal.aborted) {
    try {
      const running: ControlLoop = await loop.create(context);
      if (signal.aborted) return;
      await running.run(signal);
      if (!signal.aborted) context.report(new Error('the loop has ended by itself'));
    } catch (error) {
      if (!signal.aborted) context.report(error);
    }
    await sleep(context.clock, backoff.next(), signal).catch(() => undefined);
  }
}
