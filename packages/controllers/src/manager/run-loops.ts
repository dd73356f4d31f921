import { SharedInformerFactory } from '@binnacle/client/cache';
import { Backoff, type Clock, sleep, systemClock } from '@binnacle/client/clock';
import { ReconcileError } from '@binnacle/client/controller';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';
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
  readonly clock?: Clock;
}

const FIRST_RESTART_MILLISECONDS = 500;
const LONGEST_RESTART_MILLISECONDS = 60_000;

/** Runs the loops. Resolves when the signal has fired and nothing of any of them is under way any more; does not reject. */
export async function runLoops(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { connect, clock = systemClock, certificateAuthority, isSoleServer = false, report } = options;
  const transports: Transport[] = [];
  const open = (identity: Identity): Transport => {
    const transport = connect(identity);
    transports.push(transport);
    return transport;
  };
  const ownTransport = open(managerIdentity);
  const informers = new SharedInformerFactory(new DynamicClient(ownTransport), { clock, onError: report });
  const shared = {
    informers,
    discovery: new DiscoveryClient(ownTransport),
    clock,
    certificateAuthority,
    isSoleServer,
  };
  await Promise.all([
    informers.run(signal),
    ...options.loops.map((loop) => {
      const transport = open(identityOf(loop));
      const context: LoopContext = {
        ...shared,
        client: new DynamicClient(transport),
        transport,
        report: (error) => {
          if (hasLasted(error)) report(error, loop.name);
        },
      };
      return keepRunning(loop, context, signal);
    }),
  ]);
  await Promise.all(transports.map(async (transport) => transport.close()));
}

/** Upstream: the kubeconfig of kube-controller-manager, as kubeadm writes it. */
const managerIdentity: Identity = {
  user: 'system:kube-controller-manager',
  groups: [],
  userAgent: 'kube-controller-manager/binnacle/shared-informers',
};

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
