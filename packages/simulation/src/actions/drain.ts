import { sleep } from '@binnacle/apimachinery/clock';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isNotFound, isTooManyRequests } from '@binnacle/client/rest';
import type { Stage } from './stage.js';

/** Upstream: kubectl `drain` tries a refused eviction again after 5 s. */
const RETRY = 5000;

/** Cordons a node, evicts its pods and waits until they are gone, as `kubectl drain --ignore-daemonsets` does. */
export async function drain(node: string, { cluster, signal }: Pick<Stage, 'cluster' | 'signal'>): Promise<void> {
  const { client, clock } = cluster;
  await client.resource(Node).patch(node, { type: 'merge', body: { spec: { unschedulable: true } } });
  while (!signal.aborted) {
    const left = cluster.recorder.state.list(Pod).filter((pod) => pod.spec?.nodeName === node && mustGo(pod));
    if (left.length === 0) return;
    for (const { metadata, ...pod } of left) {
      if (metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Succeeded') continue;
      await evict(metadata.namespace ?? '', metadata.name ?? '', client);
    }
    await sleep(clock, RETRY, signal).catch(() => undefined);
  }
}

function mustGo({ metadata: { ownerReferences = [] }, status }: Pod): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
  return !ownerReferences.some(({ kind, controller }) => controller === true && kind === 'DaemonSet');
}

async function evict(namespace: string, name: string, client: Stage['cluster']['client']): Promise<void> {
  try {
    await client.resource(Pod).namespace(namespace).eviction.create(name, {});
  } catch (error) {
    if (!isTooManyRequests(error) && !isNotFound(error)) throw error;
  }
}
