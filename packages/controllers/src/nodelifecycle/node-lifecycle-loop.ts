import { asJson } from '@binnacle/apimachinery/meta';
import { Controller, runTogether } from '@binnacle/client/controller';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { nodeIndexes, type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { labelsToRepeat } from './node-labels.js';
import { NodeMonitor } from './node-monitor.js';
import { settingsOf } from './settings.js';
import { noScheduleTaints } from './taints.js';
import { markUnready } from './unready-pods.js';

/** Upstream: `nodeUpdateWorkerSize` and `podUpdateWorkerSize`. */
const NODE_CONCURRENCY = 8;
const POD_CONCURRENCY = 4;

/** Upstream: kubernetes `pkg/controller/nodelifecycle`. */
export const createNodeLifecycleLoop: CreateLoop = (context) => {
  const { client, clock, informers, events, report } = context;
  const recorder = events.recorder({ component: 'node-controller' });
  const nodes = informers.informer(Node);
  const leases = informers.informer(Lease, { namespace: 'kube-node-lease' });
  const pods = informers.informer(Pod, { indexes: nodeIndexes });
  const settings = settingsOf(context.settings);
  const monitor = new NodeMonitor({ client, clock, recorder, nodes, leases, pods: pods.indexer, settings, report });
  const describing = new Controller({
    name: 'node_lifecycle_controller',
    for: Node,
    concurrency: NODE_CONCURRENCY,
    reconcile: reconcileOwner({ resource: Node, writes: [], informers }, describeNode),
  }).bind(context);
  const marking = new Controller({
    name: 'node_lifecycle_controller_pods',
    watches: [
      {
        resource: Pod,
        predicate: (change) => {
          const { nodeName = '' } = change.object.spec ?? {};
          const isBound = change.type === 'update' && change.before.spec?.nodeName !== nodeName;
          return (isBound || change.type === 'create') && monitor.isUnready(nodeName);
        },
        map: ({ metadata }) => [{ namespace: metadata.namespace, name: metadata.name ?? '' }],
      },
    ],
    concurrency: POD_CONCURRENCY,
    reconcile: reconcileOwner({ resource: Pod, writes: [], informers }, async (pod, { writer }) => {
      if (monitor.isUnready(pod.spec?.nodeName ?? '')) await markUnready(pod, clock.now(), { writer, recorder });
    }),
  }).bind(context);
  const watching = {
    name: 'node-monitor',
    run: async (signal: AbortSignal) => {
      const synced = await Promise.all([nodes, leases, pods].map((informer) => informer.synced(signal))).catch(
        () => undefined,
      );
      if (synced !== undefined) await monitor.run(signal);
    },
  };
  return { run: (signal) => runTogether([describing, marking, watching], signal) };
};

/** Keeps the taints and labels that repeat what the node says in other fields. */
async function describeNode(node: Node, { writer, clock }: OwnerContext): Promise<void> {
  const taints = noScheduleTaints(node, clock.now());
  const labels = labelsToRepeat(node);
  const { resourceVersion = '' } = node.metadata;
  if (taints !== undefined) {
    const spec = { taints: taints.length === 0 ? null : asJson(taints) };
    await writer.patch(Node, node, {
      metadata: { resourceVersion, ...(labels === undefined ? {} : { labels }) },
      spec,
    });
  } else if (labels !== undefined) await writer.patch(Node, node, { metadata: { labels } });
}
