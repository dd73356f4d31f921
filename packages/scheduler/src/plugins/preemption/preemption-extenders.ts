import type { Attempt, Extender, Victims, WaitingSteps } from '../../framework/index.js';
import type { Candidate } from './preemption-candidates.js';

/** The candidates that are left once each extender has chosen. Throws what one of them fails with. Upstream: `callExtenders`. */
export function* askExtenders(
  extenders: readonly Extender[],
  { pod, snapshot }: Attempt,
  candidates: readonly Candidate[],
): WaitingSteps<readonly Candidate[]> {
  const asked = extenders.filter((each) => each.preempt !== undefined && each.isInterested(pod));
  if (asked.length === 0) return candidates;
  let victims: ReadonlyMap<string, Victims> = new Map(
    candidates.map((each) => [each.node.name, { pods: each.victims, violations: each.violations }]),
  );
  for (const extender of asked) {
    if (extender.preempt === undefined || victims.size === 0) break;
    try {
      victims = withVictims(yield* extender.preempt(pod, victims, snapshot), extender);
    } catch (error) {
      if (!extender.isIgnorable) throw error;
    }
  }
  return [...victims].flatMap(([name, { pods, violations }]) => {
    const node = snapshot.node(name);
    return node === undefined ? [] : [{ node, victims: pods, violations }];
  });
}

/** A node without victims is a fault of the extender, whose node is left out if it is ignorable. */
function withVictims(given: ReadonlyMap<string, Victims>, { isIgnorable }: Extender): ReadonlyMap<string, Victims> {
  const empty = [...given].find(([, { pods }]) => pods.length === 0);
  if (empty !== undefined && !isIgnorable) {
    throw new Error(`expected at least one victim pod on node ${JSON.stringify(empty[0])}`);
  }
  return new Map([...given].filter(([, { pods }]) => pods.length > 0));
}
