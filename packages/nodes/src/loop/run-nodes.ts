import { setMaxListeners } from 'node:events';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { type SharedInformer, SharedInformerFactory, withoutManagedFields } from '@binnacle/client/cache';
import { ReconcileError } from '@binnacle/client/controller';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { Transport } from '@binnacle/client/transport';
import { type Kubelets, type PodSource, serveKubelets } from '../kubelet/index.js';
import type { KubeletEndpoint, SimulatedNode } from '../node/index.js';
import { keepAlive } from './heartbeats.js';
import { BY_NODE, nodeNamesOf } from './node-memory.js';
import { ASSIGNED, podController } from './pod-controller.js';

/** The user of a connection. */
export interface NodeIdentity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
}

export interface NodesOptions {
  /** The nodes `node-0` and so on: 1 to `MOST_NODES`. */
  readonly count: number;
  /** Connects to the server as this user. `runNodes` closes the transport. */
  readonly connect: (identity: NodeIdentity) => Transport;
  /** Called with failures that last, and where they come from. Must not throw. */
  readonly report: (error: unknown, where: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Renew no lease and repeat no status while nothing changes. For simulations, whose node lifecycle controller knows by
   * other means which nodes are alive. Default: false.
   */
  readonly elidesHeartbeats?: boolean;
  /** Where the kubelets of the nodes listen. Default: they do not listen, and clients get no logs. */
  readonly kubelet?: Omit<KubeletEndpoint, 'port'> | undefined;
}

/** One informer reads the pods of all nodes, which no node alone may do. */
const READER: NodeIdentity = { user: 'binnacle:nodes', groups: ['system:masters'], userAgent: 'kubelet/binnacle' };

/** Runs simulated nodes and their pods until the signal fires and their writes have ended. Does not reject. */
export async function runNodes(options: NodesOptions, signal: AbortSignal): Promise<void> {
  const { count, report, clock, random, elidesHeartbeats = false } = options;
  // Every request listens to a signal. Node would warn of a leak above ten listeners.
  setMaxListeners(0, signal);
  const { clientOf, reader, transport, close } = connections(options.connect);
  const informers = new SharedInformerFactory(reader, {
    clock,
    random,
    onError: report,
    transform: withoutManagedFields,
  });
  const pods = informers.informer(Pod, { fieldSelector: ASSIGNED, indexes: { [BY_NODE]: nodeNamesOf } });
  const nodeObjects = informers.informer(Node);
  const names = Array.from({ length: count }, (_, index) => `node-${index}`);
  const kubelets = await startKubelets(options, { names, pods, transport });
  const nodes = simulatedNodes(names, options, kubelets);
  const reportPod = (error: unknown) => {
    if (!(error instanceof ReconcileError) || error.hasLasted) report(error, 'pods');
  };
  const sink = new ApiSink(reader, { clock, random });
  await using events = new EventBroadcaster([sink], { clock, random, onError: reportPod });
  const recorderOf = (host: string) => events.recorder({ component: 'kubelet', host });
  const controller = podController({ nodes, pods, nodeObjects, clientOf, recorderOf }).bind({
    client: reader,
    informers,
    clock,
    events,
    report: reportPod,
  });
  const heartbeats = { nodes, nodeObjects, clientOf, clock, random, elidesHeartbeats };
  await Promise.all([
    informers.run(signal),
    nodeObjects
      .synced(signal)
      .then(() => keepAlive({ ...heartbeats, report: (error) => report(error, 'nodes') }, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) report(error, 'nodes');
      }),
    controller.run(signal).catch((error: unknown) => report(error, 'pods')),
  ]);
  await kubelets?.close();
  await close();
}

/** Undefined: none is wanted, or the address cannot be listened on. */
async function startKubelets(
  { kubelet, clock, report }: NodesOptions,
  {
    names,
    pods,
    transport,
  }: { readonly names: readonly string[]; readonly pods: SharedInformer<Pod>; readonly transport: Transport },
): Promise<Kubelets | undefined> {
  if (kubelet === undefined) return undefined;
  try {
    return await serveKubelets({
      nodes: names,
      address: kubelet.address,
      cluster: transport,
      pods: podSource(names, pods),
      clock,
      report: (error) => report(error, 'kubelets'),
    });
  } catch (error) {
    report(error, 'kubelets');
    return undefined;
  }
}

/** The pods of these nodes alone: no kubelet shows those of other nodes. */
function podSource(names: readonly string[], pods: SharedInformer<Pod>): PodSource {
  const own = new Set(names);
  return {
    find: (namespace, name) => {
      const pod = pods.lister.namespace(namespace).get(name);
      return own.has(pod?.spec?.nodeName ?? '') ? pod : undefined;
    },
    ofNode: (node) => pods.indexer.byIndex(BY_NODE, node),
  };
}

function simulatedNodes(
  names: readonly string[],
  { kubelet }: NodesOptions,
  kubelets: Kubelets | undefined,
): ReadonlyMap<string, SimulatedNode> {
  return new Map(
    names.map((name, index) => {
      const port = kubelets?.portOf(name);
      const endpoint = kubelet === undefined || port === undefined ? undefined : { ...kubelet, port };
      return [name, { name, index, kubelet: endpoint }];
    }),
  );
}

/** A connection for the reader, and one for each node from its first request on. */
function connections(connect: NodesOptions['connect']) {
  const transport = connect(READER);
  const transports = [transport];
  const open = (identity: NodeIdentity): DynamicClient => {
    const opened = connect(identity);
    transports.push(opened);
    return new DynamicClient(opened);
  };
  const clients = new Map<string, DynamicClient>();
  return {
    reader: new DynamicClient(transport),
    /** The reader's. */
    transport,
    clientOf: (name: string): DynamicClient => {
      const present = clients.get(name);
      if (present !== undefined) return present;
      const identity = { user: `system:node:${name}`, groups: ['system:nodes'], userAgent: `kubelet/binnacle/${name}` };
      const client = open(identity);
      clients.set(name, client);
      return client;
    },
    close: async (): Promise<void> => {
      await Promise.all(transports.map((each) => each.close()));
    },
  };
}
