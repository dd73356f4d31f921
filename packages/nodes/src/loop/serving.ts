import type { Clock } from '@binnacle/apimachinery/clock';
import type { SharedInformer } from '@binnacle/client/cache';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { Transport } from '@binnacle/client/transport';
import {
  type CreateServer,
  type Kubelets,
  type PodSource,
  type ProcessAccess,
  serveKubelets,
} from '../kubelet/index.js';
import type { MetricsSource } from '../metrics/index.js';
import type { KubeletEndpoint, LocalNode, ProcessNode } from '../node/index.js';
import { localPodAddress } from '../node/limits/index.js';
import type { ProcessPods } from '../workloads/index.js';
import { BY_NODE } from './node-memory.js';
import type { ProcessNodesOptions } from './process-nodes.js';

/** The options of `runNodes` on which serving depends. */
interface ServingOptions {
  readonly kubelet?: Omit<KubeletEndpoint, 'port'> | undefined;
  readonly clock: Clock;
  readonly report: (error: unknown, where: string) => void;
}

/** Undefined: none is wanted, or the address cannot be listened on. */
export async function startKubelets(
  { kubelet, clock, report }: ServingOptions,
  {
    names,
    pods,
    transport,
    processes,
    createServer,
  }: {
    readonly names: readonly string[];
    readonly pods: SharedInformer<Pod>;
    readonly transport: Transport;
    readonly processes?: ProcessPods | undefined;
    /** Default: servers of this machine. */
    readonly createServer?: CreateServer;
  },
): Promise<Kubelets | undefined> {
  if (kubelet === undefined) return undefined;
  try {
    return await serveKubelets({
      nodes: names,
      address: kubelet.address,
      cluster: transport,
      pods: podSource(names, pods),
      processes: processes && processAccess(processes),
      clock,
      createServer,
      report: (error) => report(error, 'kubelets'),
    });
  } catch (error) {
    report(error, 'kubelets');
    return undefined;
  }
}

function processAccess(processes: ProcessPods): ProcessAccess {
  return {
    has: ({ spec }) => isProcessNode(spec?.nodeName ?? ''),
    find: (pod, id) => processes.find(pod, id),
    addressOf: ({ status }) => localPodAddress(status?.podIP ?? '') ?? LOOPBACK,
  };
}

/** Only the pods of these nodes: no kubelet shows those of other nodes. */
export function podSource(names: readonly string[], pods: SharedInformer<Pod>): PodSource {
  const own = new Set(names);
  return {
    find: (namespace, name) => {
      const pod = pods.lister.namespace(namespace).get(name);
      return own.has(pod?.spec?.nodeName ?? '') ? pod : undefined;
    },
    ofNode: (node) => pods.indexer.byIndex(BY_NODE, node),
  };
}

/** The names of process nodes begin with this. */
const PROCESS_NODE = 'process-node-';
const LOOPBACK = '127.0.0.1';

const isProcessNode = (name: string): boolean => name.startsWith(PROCESS_NODE);

/** The simulated nodes, and then those that run processes. */
export function localNodes(
  count: number,
  processNodes: Pick<ProcessNodesOptions, 'count'> | undefined,
  processes: Pick<ProcessPods, 'images'> | undefined,
): readonly LocalNode[] {
  const simulated = Array.from({ length: count }, (_, index) => ({ name: `node-${index}`, index }));
  const facts: ProcessNode = { images: processes?.images ?? [], isTainted: count > 0 };
  const real = Array.from({ length: processes === undefined ? 0 : (processNodes?.count ?? 0) }, (_, index) => ({
    name: `${PROCESS_NODE}${index}`,
    index,
    processes: facts,
  }));
  return [...simulated, ...real];
}

/** The nodes by their names, and where their kubelets answer. */
export function withKubelets(
  nodes: readonly LocalNode[],
  { kubelet }: Pick<ServingOptions, 'kubelet'>,
  kubelets: Kubelets | undefined,
): ReadonlyMap<string, LocalNode> {
  return new Map(
    nodes.map((node) => {
      const port = kubelets?.portOf(node.name);
      const endpoint = kubelet === undefined || port === undefined ? undefined : { ...kubelet, port };
      return [node.name, { ...node, kubelet: endpoint }];
    }),
  );
}

/** The simulated nodes of this process, and the pods of these. Nothing measures what processes use. */
export function metricsSource(
  nodes: ReadonlyMap<string, LocalNode>,
  { pods, nodeObjects }: { readonly pods: SharedInformer<Pod>; readonly nodeObjects: SharedInformer<Node> },
): MetricsSource {
  const isSimulated = (name = ''): boolean => nodes.has(name) && nodes.get(name)?.processes === undefined;
  return {
    nodes: () => nodeObjects.lister.list().filter(({ metadata }) => isSimulated(metadata.name)),
    pods: () => pods.lister.list().filter(({ spec }) => isSimulated(spec?.nodeName)),
  };
}
