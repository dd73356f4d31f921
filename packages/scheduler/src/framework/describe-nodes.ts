import type { NodeStatuses } from './plugin.js';

/** `0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.` Upstream: `FitError`. */
export function describeNodes(count: number, statuses: Pick<NodeStatuses, 'explicit' | 'absent'>): string {
  const { explicit, absent } = statuses;
  const counts = new Map<string, number>();
  const add = (reason: string, amount: number) => counts.set(reason, (counts.get(reason) ?? 0) + amount);
  for (const { reasons } of explicit.values()) for (const reason of reasons) add(reason, 1);
  const rest = count - explicit.size;
  if (rest > 0) for (const reason of absent.reasons) add(reason, rest);
  const texts = [...counts].map(([reason, amount]) => `${amount} ${reason}`).sort();
  return `0/${count} nodes are available:${texts.length === 0 ? '' : ` ${texts.join(', ')}.`}`;
}

/** As {@link describeNodes}, for a pod that a PreFilter plugin rejected on all nodes. */
export function describeRejection(count: number, reason: string): string {
  return `0/${count} nodes are available: ${reason}.`;
}
