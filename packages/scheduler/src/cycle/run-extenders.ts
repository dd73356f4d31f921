import type { Attempt, Extender, NodeState, Status, WaitingSteps } from '../framework/index.js';

/** The nodes that all extenders accept. Enters the reasons of the others in `explicit`. Upstream: `findNodesThatPassExtenders`. */
export function* passExtenders(
  extenders: readonly Extender[],
  { pod }: Attempt,
  nodes: readonly NodeState[],
  explicit: Map<string, Status>,
): WaitingSteps<readonly NodeState[]> {
  let feasible = nodes;
  for (const extender of extenders) {
    if (feasible.length === 0) break;
    if (extender.filter === undefined || !extender.isInterested(pod)) continue;
    try {
      const verdict = yield* extender.filter(pod, feasible);
      for (const [name, status] of verdict.rejected) explicit.set(name, status);
      feasible = verdict.feasible;
    } catch (error) {
      if (!extender.isIgnorable) throw error;
    }
  }
  return feasible;
}

/** What extenders add to the scores, by the name of the node. One that fails adds nothing. Upstream: `prioritizeNodes`. */
export function* scoreByExtenders(
  extenders: readonly Extender[],
  { pod }: Attempt,
  nodes: readonly NodeState[],
): WaitingSteps<ReadonlyMap<string, number>> {
  const totals = new Map<string, number>();
  for (const extender of extenders) {
    if (extender.prioritize === undefined || !extender.isInterested(pod)) continue;
    try {
      const scores = yield* extender.prioritize(pod, nodes);
      for (const { name } of nodes) totals.set(name, (totals.get(name) ?? 0) + (scores.get(name) ?? 0));
    } catch {
      // Plugins and other extenders decide.
    }
  }
  return totals;
}
