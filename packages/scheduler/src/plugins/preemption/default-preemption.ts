import type { Steps } from '@binnacle/apimachinery/work';
import { parseTime } from '@binnacle/apimachinery/time';
import {
  type Attempt,
  describeNodes,
  type Extender,
  failure,
  type FilterRunner,
  inSteps,
  type NodeState,
  type NodeStatuses,
  type Plugin,
  type PodFacts,
  type PostFilterResult,
  type Status,
  success,
  unresolvable,
  unschedulable,
  type WaitingSteps,
} from '../../framework/index.js';
import { type BudgetsByNamespace, prepareBudgets, splitByBudgets } from './disruption-budgets.js';
import { bestCandidate, type Candidate } from './preemption-candidates.js';
import { askExtenders } from './preemption-extenders.js';

/** How many nodes a preemption is tried on: the share of all nodes, and at least the number. */
export interface DefaultPreemptionArgs {
  /** 0 to 100. Default: 10. */
  readonly minCandidateNodesPercentage?: number;
  /** Default: 100. */
  readonly minCandidateNodesAbsolute?: number;
}

const NO_VICTIMS = unresolvable('No preemption victims found for incoming pod');
const NOT_HELPFUL = unresolvable('Preemption is not helpful for scheduling');

/** Looks for a node that fits once pods of lower priority have ended. */
export function defaultPreemption(args: DefaultPreemptionArgs = {}, extenders: readonly Extender[] = []): Plugin {
  return {
    name: 'DefaultPreemption',
    *postFilter(attempt, statuses, runner) {
      const result = yield* preempt(attempt, { statuses, runner, args, extenders });
      const reasons = result.status.reasons.map((reason) => `preemption: ${reason}`);
      return { ...result, status: { ...result.status, reasons } };
    },
  };
}

interface Preemption {
  readonly statuses: NodeStatuses;
  readonly runner: FilterRunner;
  readonly args: DefaultPreemptionArgs;
  readonly extenders: readonly Extender[];
}

function* preempt(attempt: Attempt, preemption: Preemption): WaitingSteps<PostFilterResult> {
  const obstacle = obstacleOf(attempt, preemption.statuses);
  if (obstacle !== undefined) return { status: unschedulable(obstacle) };
  const { nodes } = attempt.snapshot;
  const { candidates, rejected } = yield* findCandidates(attempt, preemption);
  if (candidates.length === 0) {
    const text = describeNodes(nodes.length, { explicit: rejected, absent: NOT_HELPFUL });
    return { status: unschedulable(text), nominatedNode: '' };
  }
  try {
    const best = bestCandidate(yield* askExtenders(preemption.extenders, attempt, candidates));
    if (best === undefined) return { status: unschedulable('no candidate node for preemption') };
    return { status: success, nominatedNode: best.node.name, victims: best.victims };
  } catch (error) {
    return { status: failure(error) };
  }
}

/** Why the pod may not preempt others. Upstream: `PodEligibleToPreemptOthers`. */
function obstacleOf({ pod, snapshot }: Attempt, statuses: NodeStatuses): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.pod.status?.nominatedNodeName ?? '';
  if (nominated === '' || statuses.get(nominated).code === 'UnschedulableAndUnresolvable') return undefined;
  for (const other of snapshot.node(nominated)?.pods ?? []) {
    if (other.priority < pod.priority && isBeingPreempted(other)) {
      return 'not eligible due to a terminating pod on the nominated node.';
    }
  }
  return undefined;
}

function isBeingPreempted({ isTerminating, pod }: PodFacts): boolean {
  const condition = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return isTerminating && condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}

interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly rejected: ReadonlyMap<string, Status>;
}

/** Begins at a random node, so that not all preemptions hit the same ones. */
function* findCandidates(attempt: Attempt, { statuses, runner, args }: Preemption): Steps<Candidates> {
  const { minCandidateNodesPercentage: percentage = 10, minCandidateNodesAbsolute: least = 100 } = args;
  const possible = attempt.snapshot.nodes.filter(({ name }) => statuses.get(name).code === 'Unschedulable');
  const wanted = Math.max(least, Math.floor((possible.length * percentage) / 100));
  const offset = Math.floor(attempt.random.number() * possible.length);
  const candidates: Candidate[] = [];
  const rejected = new Map<string, Status>();
  const budgets = yield* prepareBudgets(attempt.snapshot.budgets);
  for (let index = 0; index < possible.length; index++) {
    const node = possible[(offset + index) % possible.length];
    if (node === undefined) continue;
    const result = yield* tryNode({ ...attempt, state: attempt.state.clone() }, node, { runner, budgets });
    if ('victims' in result) candidates.push(result);
    else rejected.set(node.name, result);
    yield;
    if (candidates.length >= wanted && candidates.some(({ violations }) => violations === 0)) break;
  }
  return { candidates, rejected };
}

interface Means {
  readonly runner: FilterRunner;
  readonly budgets: BudgetsByNamespace;
}

/** Removes all pods of lower priority, and brings back as many as the pod leaves room for, the important ones first. */
function* tryNode(attempt: Attempt, original: NodeState, { runner, budgets }: Means): Steps<Candidate | Status> {
  const node = original.copy();
  const lower = [...node.pods].filter(({ priority }) => priority < attempt.pod.priority);
  if (lower.length === 0) return NO_VICTIMS;
  for (const other of lower) {
    runner.removePod(attempt, other, node);
    yield;
  }
  const answer = yield* inSteps(runner.filter(attempt, node));
  if (answer.code !== 'Success') return answer;
  const victims: PodFacts[] = [];
  let violations = 0;
  const { violating, others } = yield* splitByBudgets(lower.toSorted(byImportance), budgets);
  for (const other of [...violating, ...others]) {
    runner.addPod(attempt, other, node);
    yield;
    if ((yield* inSteps(runner.filter(attempt, node))).code === 'Success') continue;
    runner.removePod(attempt, other, node);
    victims.push(other);
    if (violating.has(other)) violations++;
  }
  return { node: original, victims: victims.toSorted(byImportance), violations };
}

function byImportance(a: PodFacts, b: PodFacts): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [one, other] = [startOf(a), startOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Pods that have not started count as the latest. */
function startOf({ pod }: PodFacts): number {
  return pod.status?.startTime === undefined ? Infinity : parseTime(pod.status.startTime);
}
