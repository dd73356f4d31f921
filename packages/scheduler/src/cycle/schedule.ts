import type { Random } from '@binnacle/apimachinery/clock';
import { Pace } from '@binnacle/apimachinery/work';
import {
  type Attempt,
  CycleState,
  describeNodes,
  describeRejection,
  EXTENDER,
  type Extender,
  inSteps,
  inWaitingSteps,
  isRejected,
  isSteps,
  messageOfStatus,
  type NodeState,
  type NodeStatuses,
  type PodFacts,
  type Snapshot,
  type Status,
  success,
  unresolvable,
  type WaitingSteps,
} from '../framework/index.js';
import type { Profile } from './profile.js';
import { passExtenders, scoreByExtenders } from './run-extenders.js';
import { Filters } from './run-filters.js';
import { runPreFilters } from './run-pre-filters.js';
import { NODES_PER_STEP, scoreNodes, selectNode } from './score-nodes.js';

const NO_NODES = 'no nodes available to schedule pods';

/** Why no node fits. */
export interface Diagnosis {
  /** Upstream's text, for the event and the condition. */
  readonly message: string;
  /** The plugins whose answers must change before the pod can fit. */
  readonly rejectedBy: ReadonlySet<string>;
  /** The node that will have room. Empty: clear the nomination. Undefined: leave it. */
  readonly nominatedNode?: string | undefined;
  /** Pods to end on the nominated node. */
  readonly victims: readonly PodFacts[];
}

export type Outcome =
  | { readonly attempt: Attempt; readonly node: string }
  | { readonly attempt: Attempt; readonly diagnosis: Diagnosis };

export interface ScheduleOptions {
  readonly profile: Profile;
  readonly snapshot: Snapshot;
  /** Decides among nodes of the same score. */
  readonly random: Random;
  /** The node at which the search begins, so that in a large cluster all nodes have their turn. */
  readonly firstNode?: number;
}

/**
 * Finds the best node for a pod, or says why there is none. A function of the snapshot, of the random numbers and of the answers of
 * extenders, for which it waits. It yields after every few nodes that a plugin has looked at. The snapshot must not change until the end.
 */
export function* schedule(
  pod: PodFacts,
  { profile, snapshot, random, firstNode = 0 }: ScheduleOptions,
): WaitingSteps<Outcome> {
  const attempt: Attempt = { state: new CycleState(), pod, snapshot, random };
  if (snapshot.nodes.length === 0) {
    return { attempt, diagnosis: { message: NO_NODES, rejectedBy: new Set(), victims: [] } };
  }
  const { status, nodeNames, naming } = yield* runPreFilters(profile, attempt);
  if (status.code !== 'Success') return { attempt, diagnosis: yield* rejectEverywhere(profile, attempt, status) };
  const filters = new Filters(profile, attempt.state.skippedFilters);
  const wanted = feasibleNodesToFind(snapshot.nodes.length, profile.percentageOfNodesToScore);
  const { feasible, statuses, hasExtenderRejection } = yield* findFeasible(attempt, filters, {
    nodeNames,
    naming,
    firstNode,
    wanted,
    extenders: profile.extenders,
  });
  if (feasible.length === 0) {
    const rejectedBy = pluginsOf(statuses.explicit.values(), hasExtenderRejection ? [...naming, EXTENDER] : naming);
    yield;
    const text = describeNodes(snapshot.nodes.length, statuses);
    yield;
    return { attempt, diagnosis: yield* runPostFilters(profile, attempt, { statuses, filters, text, rejectedBy }) };
  }
  const [only] = feasible;
  if (feasible.length === 1) return { attempt, node: only?.name ?? '' };
  const scores = yield* scoreNodes(profile, attempt, feasible);
  const added = yield* scoreByExtenders(profile.extenders, attempt, feasible);
  for (const [index, { name: node }] of feasible.entries())
    scores[index] = (scores[index] ?? 0) + (added.get(node) ?? 0);
  return { attempt, node: selectNode(feasible, scores, random)?.name ?? '' };
}

const LEAST_FEASIBLE = 100;
const LEAST_PERCENTAGE = 5;

/**
 * In a large cluster the best of this many nodes is good enough. `percentage`: of all nodes; 0 for one that falls with their
 * number. Upstream: `numFeasibleNodesToFind`.
 */
export function feasibleNodesToFind(nodes: number, percentage = 0): number {
  if (nodes < LEAST_FEASIBLE) return nodes;
  const share = percentage === 0 ? Math.max(LEAST_PERCENTAGE, 50 - Math.floor(nodes / 125)) : percentage;
  return Math.max(LEAST_FEASIBLE, Math.floor((nodes * share) / 100));
}

interface Search {
  /** The only nodes that can fit; undefined: all. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** The plugins that have named them. */
  readonly naming: readonly string[];
  readonly firstNode: number;
  /** The search ends when this many nodes fit. */
  readonly wanted: number;
  readonly extenders: readonly Extender[];
}

interface Found {
  readonly feasible: readonly NodeState[];
  readonly statuses: NodeStatuses;
  /** An extender has rejected a node. */
  readonly hasExtenderRejection: boolean;
}

function* findFeasible(attempt: Attempt, filters: Filters, search: Search): WaitingSteps<Found> {
  const { nodeNames, naming, firstNode, wanted, extenders } = search;
  const { pod, snapshot } = attempt;
  const { nodes } = snapshot;
  const explicit = new Map<string, Status>();
  const feasible: NodeState[] = [];
  const pace = new Pace(NODES_PER_STEP);
  const isFeasible = ({ name }: NodeState, status: Status): boolean => {
    if (status.code === 'Error') {
      throw new Error(`running ${JSON.stringify(status.plugin ?? '')} filter plugin: ${messageOfStatus(status)}`);
    }
    if (status.code !== 'Success') explicit.set(name, status);
    return status.code === 'Success';
  };
  const absent =
    nodeNames === undefined ? success : unresolvable(`node(s) didn't satisfy plugin(s) [${naming.join(' ')}]`);
  const statuses = statusesOf(explicit, absent);
  const nominated = snapshot.node(pod.pod.status?.nominatedNodeName ?? '');
  if (nominated !== undefined && nodeNames?.has(nominated.name) !== false) {
    const fits = isFeasible(nominated, yield* inSteps(filters.filter(attempt, nominated)));
    const accepted = fits ? yield* passExtenders(extenders, attempt, [nominated], explicit) : [];
    if (accepted.length > 0) return { feasible: accepted, statuses, hasExtenderRejection: false };
  }
  for (let index = 0; index < nodes.length && feasible.length < wanted; index++) {
    const candidate = nodes[(firstNode + index) % nodes.length];
    if (candidate === undefined || nodeNames?.has(candidate.name) === false) continue;
    const answer = filters.filter(attempt, candidate);
    if (isFeasible(candidate, isSteps(answer) ? yield* answer : answer)) feasible.push(candidate);
    if (pace.endsStep()) yield;
  }
  const accepted = yield* passExtenders(extenders, attempt, feasible, explicit);
  return { feasible: accepted, statuses, hasExtenderRejection: accepted.length !== feasible.length };
}

function statusesOf(explicit: ReadonlyMap<string, Status>, absent: Status): NodeStatuses {
  return { explicit, absent, get: (name) => explicit.get(name) ?? absent };
}

function* rejectEverywhere(profile: Profile, attempt: Attempt, status: Status): WaitingSteps<Diagnosis> {
  const message = messageOfStatus(status);
  if (!isRejected(status)) return { message, rejectedBy: new Set(), victims: [] };
  const statuses = statusesOf(new Map(), status);
  const text = describeRejection(attempt.snapshot.nodes.length, message);
  const filters = new Filters(profile, attempt.state.skippedFilters);
  const rejectedBy = pluginsOf([status]);
  return yield* runPostFilters(profile, attempt, { statuses, filters, text, rejectedBy });
}

interface Failed {
  readonly statuses: NodeStatuses;
  readonly filters: Filters;
  readonly text: string;
  readonly rejectedBy: ReadonlySet<string>;
}

/** The first plugin that makes room or fails ends the search. Upstream: `RunPostFilterPlugins`. */
function* runPostFilters(
  profile: Profile,
  attempt: Attempt,
  { statuses, filters, text, rejectedBy }: Failed,
): WaitingSteps<Diagnosis> {
  const reasons: string[] = [];
  let nominatedNode: string | undefined;
  for (const plugin of profile.with('postFilter')) {
    const computed = plugin.postFilter?.(attempt, statuses, filters);
    if (computed === undefined) continue;
    const result = yield* inWaitingSteps(computed);
    const { status, victims = [] } = result;
    nominatedNode = result.nominatedNode ?? nominatedNode;
    if (status.code === 'Success') return { message: text, rejectedBy, nominatedNode, victims };
    reasons.push(...status.reasons);
    if (!isRejected(status)) return { message: `${text} ${messageOfStatus(status)}`, rejectedBy, victims: [] };
  }
  const message = reasons.length === 0 ? text : `${text} ${reasons.join(', ')}`;
  return { message, rejectedBy, nominatedNode, victims: [] };
}

function pluginsOf(statuses: Iterable<Status>, others: readonly string[] = []): ReadonlySet<string> {
  const plugins = new Set(others);
  for (const { plugin } of statuses) if (plugin !== undefined) plugins.add(plugin);
  return plugins;
}
