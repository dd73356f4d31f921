import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodTerminal } from '../common/index.js';

/** Pods that have ended. */
export const TERMINATED = 'terminated';
/** Pods that are being deleted and have no node, so that no kubelet ends them. */
export const UNSCHEDULED = 'unscheduled';
const LEAVING_NODE = 'leaving ';

/** The pods on a node that are being deleted. */
export function leavingNode(name: string): string {
  return `${LEAVING_NODE}${name}`;
}

/** The groups that a pod is in, for an index. */
export function groupsOf(pod: Pod): string[] {
  const groups = isPodTerminal(pod) ? [TERMINATED] : [];
  if (pod.metadata.deletionTimestamp === undefined) return groups;
  const { nodeName = '' } = pod.spec ?? {};
  return [...groups, nodeName === '' ? UNSCHEDULED : leavingNode(nodeName)];
}

/** The nodes that any pod is leaving. */
export function nodesLeft(groups: readonly string[]): string[] {
  return groups.filter((group) => group.startsWith(LEAVING_NODE)).map((group) => group.slice(LEAVING_NODE.length));
}
