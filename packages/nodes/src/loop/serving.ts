import type { Clock } from '@binnacle/apimachinery/clock';
import type { SharedInformer } from '@binnacle/client/cache';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import type { Transport } from '@binnacle/client/transport';
import { type Kubelets, type PodSource, serveKubelets } from '../kubelet/index.js';
import type { MetricsSource } from '../metrics/index.js';
import type { KubeletEndpoint, SimulatedNode } from '../node/index.js';
import { BY_NODE } from './node-memory.js';

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

/** The nodes, and where their kubelets answer. */
export function simulatedNodes(
  names: readonly string[],
  { kubelet }: Pick<ServingOptions, 'kubelet'>,
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

/** The nodes of this process, and the pods of these. */
export function metricsSource(
  nodes: ReadonlyMap<string, SimulatedNode>,
  { pods, nodeObjects }: { readonly pods: SharedInformer<Pod>; readonly nodeObjects: SharedInformer<Node> },
): MetricsSource {
  return {
    nodes: () => nodeObjects.lister.list().filter(({ metadata }) => nodes.has(metadata.name ?? '')),
    pods: () => pods.lister.list().filter(({ spec }) => nodes.has(spec?.nodeName ?? '')),
  };
}
