import { parseTime } from '@binnacle/apimachinery/time';
import type { NodeState, PodFacts } from '../../framework/index.js';

/** A node that fits once the victims have ended, the most important of which is the first. */
export interface Candidate {
  readonly node: NodeState;
  readonly victims: readonly PodFacts[];
  /** How many of the victims a disruption budget protects. */
  readonly violations: number;
}

/** So that more victims of one priority always weigh more, whatever the sign of priorities. Upstream: `math.MaxInt32 + 1`. */
const OFFSET = 2 ** 31;

/** The lower value is better; a later one decides where the earlier are equal. Upstream: `pickOneNodeForPreemption`. */
const costs: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]?.priority ?? -Infinity,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + OFFSET, 0),
  ({ victims }) => victims.length,
  ({ victims }) => -earliestStart(victims),
];

/** Undefined if there is none. */
export function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  let best = candidates;
  for (const cost of costs) {
    const lowest = best.reduce((least, candidate) => Math.min(least, cost(candidate)), Infinity);
    best = best.filter((candidate) => cost(candidate) === lowest);
  }
  return best[0];
}

/** When the first of the most important victims started; Infinity if none has. */
function earliestStart(victims: readonly PodFacts[]): number {
  const highest = victims[0]?.priority;
  const starts = victims
    .filter(({ priority }) => priority === highest)
    .map(({ pod }) => (pod.status?.startTime === undefined ? Infinity : parseTime(pod.status.startTime)));
  return Math.min(...starts, Infinity);
}
