import { sleep } from '@binnacle/apimachinery/clock';
import { controllerOf } from '@binnacle/client/controller';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { evict } from './evict.js';
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
    for (const { metadata } of left) {
      if (metadata.deletionTimestamp !== undefined) continue;
      await evict(metadata.namespace ?? '', metadata.name ?? '', cluster);
    }
    await sleep(clock, RETRY, signal).catch(() => undefined);
  }
}

function mustGo(pod: Pod): boolean {
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return false;
  return controllerOf(pod)?.kind !== 'DaemonSet';
}
