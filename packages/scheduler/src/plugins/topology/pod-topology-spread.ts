import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { TopologySpreadConstraint } from '@binnacle/client/kinds/core/v1';
import {
  type Attempt,
  MAX_NODE_SCORE,
  type NodeScore,
  type NodeState,
  type Plugin,
  type PodFacts,
  type PreFilterResult,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import {
  countingOf,
  hasAllKeys,
  HOSTNAME,
  matchingPods,
  type SpreadConstraint,
  spreadConstraintsOf,
} from './topology-constraints.js';

const MISMATCH = "node(s) didn't match pod topology spread constraints";

/** Some microseconds each. */
const NODES_PER_STEP = 100;

const systemDefaults: readonly TopologySpreadConstraint[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

export interface PodTopologySpreadArgs {
  /** For pods without constraints that belong to a service or a workload. Default: those of the system. */
  readonly defaultConstraints?: readonly TopologySpreadConstraint[];
}

/** Spreads pods over zones, nodes and other domains. */
export function podTopologySpread({ defaultConstraints }: PodTopologySpreadArgs = {}): Plugin {
  const defaults: Defaults = {
    constraints: defaultConstraints ?? systemDefaults,
    // The system's defaults apply also to nodes without labels for zones.
    needsAllKeys: defaultConstraints !== undefined,
  };
  return {
    name: 'PodTopologySpread',
    interests: [
      { resource: 'AssignedPod', actions: ['Add', 'Update', 'Delete'] },
      { resource: 'Node', actions: ['Add', 'Update', 'Delete'] },
    ],
    preFilter: (attempt) => preFilter(attempt, defaults),
    addPod: (attempt, added, node) => count(attempt, added, node, 1),
    removePod: (attempt, removed, node) => count(attempt, removed, node, -1),
    filter,
    preScore: (attempt, nodes) => preScore(attempt, nodes, defaults),
    score,
    normalizeScore,
  };
}

interface Defaults {
  readonly constraints: readonly TopologySpreadConstraint[];
  /** Whether nodes that lack a topology key count for nothing. */
  readonly needsAllKeys: boolean;
}

/** The pods that one constraint counts, in each domain and on each node. */
interface Counted {
  readonly constraint: SpreadConstraint;
  readonly onNodes: ReadonlyMap<string, number>;
  readonly domains: Map<string, number>;
}

interface Compared extends Counted {
  /** The count of the emptiest domain; undefined once a count has changed. */
  least: number | undefined;
}

const filterState = new StateKey<readonly Compared[]>((counted) =>
  counted.map((each) => ({ ...each, domains: new Map(each.domains) })),
);

function* preFilter(attempt: Attempt, defaults: Defaults): Steps<PreFilterResult> {
  const { state, pod, snapshot } = attempt;
  const constraints = constraintsOf(attempt, defaults, 'DoNotSchedule');
  if (constraints.length === 0) return { status: skip };
  const counted: Compared[] = [];
  for (const constraint of constraints) {
    const onNodes = yield* matchingPods(attempt, constraint);
    counted.push({ constraint, onNodes, domains: new Map(), least: undefined });
  }
  for (const node of snapshot.nodes) {
    if (!hasAllKeys(node, constraints)) continue;
    const countsNode = countingOf(pod, node);
    for (const { constraint, onNodes, domains } of counted) {
      const value = node.labels[constraint.topologyKey];
      if (value === undefined || !countsNode(constraint)) continue;
      domains.set(value, (domains.get(value) ?? 0) + (onNodes.get(node.name) ?? 0));
    }
    yield;
  }
  state.write(filterState, counted);
  return { status: success };
}

function count({ state, pod }: Attempt, other: PodFacts, node: NodeState, change: 1 | -1): void {
  const counted = state.read(filterState) ?? [];
  if (other.namespace !== pod.namespace) return;
  if (
    !hasAllKeys(
      node,
      counted.map(({ constraint }) => constraint),
    )
  )
    return;
  const countsNode = countingOf(pod, node);
  for (const each of counted) {
    const { constraint, domains } = each;
    const value = node.labels[constraint.topologyKey];
    if (value === undefined || !constraint.selector.matches(other.labels) || !countsNode(constraint)) continue;
    domains.set(value, (domains.get(value) ?? 0) + change);
    each.least = undefined;
  }
}

function filter({ state, pod }: Attempt, node: NodeState): Status {
  for (const each of state.read(filterState) ?? []) {
    const { constraint, domains } = each;
    const value = node.labels[constraint.topologyKey];
    if (value === undefined) return unresolvable(`${MISMATCH} (missing required label)`);
    const own = constraint.selector.matches(pod.labels) ? 1 : 0;
    each.least ??= leastOf(domains, constraint);
    const skew = (domains.get(value) ?? 0) + own - each.least;
    if (skew > constraint.maxSkew) return unschedulable(MISMATCH);
  }
  return success;
}

/** Domains that are missing count as empty. */
function leastOf(domains: ReadonlyMap<string, number>, { minDomains }: SpreadConstraint): number {
  if (domains.size < minDomains) return 0;
  let least = Infinity;
  for (const each of domains.values()) least = Math.min(least, each);
  return least === Infinity ? 2 ** 31 - 1 : least;
}

interface Scored extends Counted {
  readonly weight: number;
}

const scoreState = new StateKey<{ readonly scored: readonly Scored[]; readonly ignored: ReadonlySet<string> }>();

function* preScore(attempt: Attempt, nodes: readonly NodeState[], defaults: Defaults): Steps<Status> {
  const { state, pod, snapshot } = attempt;
  const constraints = constraintsOf(attempt, defaults, 'ScheduleAnyway');
  if (constraints.length === 0) return skip;
  const needsAllKeys = defaults.needsAllKeys || isExplicit(pod);
  const isCandidate = (node: NodeState) => !needsAllKeys || hasAllKeys(node, constraints);
  const candidates = nodes.filter(isCandidate);
  const ignored = new Set(nodes.filter((node) => !isCandidate(node)).map(({ name }) => name));
  const scored: Scored[] = [];
  for (const constraint of constraints) {
    const onNodes = yield* matchingPods(attempt, constraint);
    const domains = domainsOf(constraint, candidates);
    const size = constraint.topologyKey === HOSTNAME ? candidates.length : domains.size;
    scored.push({ constraint, onNodes, domains, weight: Math.log(size + 2) });
  }
  const pace = new Pace(NODES_PER_STEP);
  for (const { constraint, onNodes, domains } of scored) {
    if (domains.size === 0) continue;
    for (const [name, pods] of onNodes) {
      if (pace.endsStep()) yield;
      const node = snapshot.node(name);
      const value = node?.labels[constraint.topologyKey] ?? '';
      const present = domains.get(value);
      if (node === undefined || present === undefined || !isCandidate(node)) continue;
      if (countingOf(pod, node)(constraint)) domains.set(value, present + pods);
    }
  }
  state.write(scoreState, { scored, ignored });
  return success;
}

function isExplicit({ spec }: PodFacts): boolean {
  return (spec.topologySpreadConstraints ?? []).length > 0;
}

/** The pod's own constraints, or the default ones with the pod's default selector. */
function constraintsOf(
  { pod, snapshot }: Attempt,
  defaults: Defaults,
  when: TopologySpreadConstraint['whenUnsatisfiable'],
): SpreadConstraint[] {
  if (isExplicit(pod)) return spreadConstraintsOf(pod, pod.spec.topologySpreadConstraints ?? [], when);
  const constraints = spreadConstraintsOf(pod, defaults.constraints, when);
  const selector = constraints.length === 0 ? undefined : snapshot.defaultSelector(pod);
  return selector === undefined || selector.isEmpty ? [] : constraints.map((each) => ({ ...each, selector }));
}

/** The domains of the candidates. Nodes are counted when they are scored. */
function domainsOf({ topologyKey }: SpreadConstraint, candidates: readonly NodeState[]): Map<string, number> {
  if (topologyKey === HOSTNAME) return new Map();
  return new Map(candidates.map(({ labels }) => [labels[topologyKey] ?? '', 0]));
}

function score({ state }: Attempt, node: NodeState): number {
  const { scored = [], ignored } = state.read(scoreState) ?? {};
  if (ignored?.has(node.name) === true) return 0;
  let total = 0;
  for (const { constraint, onNodes, domains, weight } of scored) {
    const value = node.labels[constraint.topologyKey];
    if (value === undefined) continue;
    const pods = constraint.topologyKey === HOSTNAME ? onNodes.get(node.name) : domains.get(value);
    total += (pods ?? 0) * weight + (constraint.maxSkew - 1);
  }
  return Math.round(total);
}

/** Few pods become a high score. Nodes without the labels get none. */
function normalizeScore({ state }: Attempt, scores: readonly NodeScore[]): void {
  const ignored = state.read(scoreState)?.ignored;
  const counted = scores.filter(({ node }) => ignored?.has(node.name) !== true);
  const highest = counted.reduce((most, { score }) => Math.max(most, score), 0);
  const lowest = counted.reduce((least, { score }) => Math.min(least, score), Infinity);
  for (const each of scores) {
    if (ignored?.has(each.node.name) === true) each.score = 0;
    else if (highest === 0) each.score = MAX_NODE_SCORE;
    else each.score = Math.floor((MAX_NODE_SCORE * (highest + lowest - each.score)) / highest);
  }
}
