import { setMaxListeners } from 'node:events';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory, withoutManagedFields } from '@binnacle/client/cache';
import { ReconcileError } from '@binnacle/client/controller';
import { DynamicClient } from '@binnacle/client/dynamic';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { Transport } from '@binnacle/client/transport';
import type { KubeletEndpoint } from '../node/index.js';
import { keepAlive } from './heartbeats.js';
import { keepMetrics } from './keep-metrics.js';
import { keepTraffic } from './keep-traffic.js';
import { BY_NODE, nodeNamesOf } from './node-memory.js';
import { ASSIGNED, podController } from './pod-controller.js';
import { openProcesses, type ProcessNodesOptions } from './process-nodes.js';
import { localNodes, metricsSource, startKubelets, withKubelets } from './serving.js';

/** The user of a connection. */
export interface NodeIdentity {
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
}

export interface NodesOptions {
  /** The simulated nodes `node-0` and so on: 0 to `MOST_NODES`. */
  readonly count: number;
  /** Nodes whose containers are processes of this machine. Default: none. */
  readonly processNodes?: ProcessNodesOptions | undefined;
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
  /** Where `metrics.k8s.io` is served, unless another server of the cluster serves it. Default: it is not served. */
  readonly metricsAddress?: string | undefined;
}

/** One informer reads the pods of all nodes, which no single node may do. */
const READER: NodeIdentity = { user: 'binnacle:nodes', groups: ['system:masters'], userAgent: 'kubelet/binnacle' };

/** Runs nodes and their pods until the signal fires and their writes have ended. Does not reject. */
export async function runNodes(options: NodesOptions, signal: AbortSignal): Promise<void> {
  const { count, report, clock, random, elidesHeartbeats = false } = options;
  // Every request listens to a signal. Node.js would warn of a leak above ten listeners.
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
  const processes = await openProcesses(options);
  const planned = localNodes(count, options.processNodes, processes);
  using _ = keepTraffic(informers, {
    nodes: planned,
    nodeObjects,
    clock,
    report: (error) => report(error, 'services'),
  });
  const names = planned.map(({ name }) => name);
  const kubelets = await startKubelets(options, { names, pods, transport, processes });
  const nodes = withKubelets(planned, options, kubelets);
  const reportPod = (error: unknown) => {
    if (!(error instanceof ReconcileError) || error.hasLasted) report(error, 'pods');
  };
  const sink = new ApiSink(reader, { clock, random });
  await using events = new EventBroadcaster([sink], { clock, random, onError: reportPod });
  const recorderOf = (host: string) => events.recorder({ component: 'kubelet', host });
  const controller = podController({ nodes, pods, nodeObjects, clientOf, recorderOf, processes }).bind({
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
    keepMetrics(options, { client: reader, transport, source: metricsSource(nodes, { pods, nodeObjects }) }, signal),
  ]);
  await processes?.close();
  await kubelets?.close();
  await close();
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
