import { Pace, type Steps } from '@binnacle/apimachinery/work';
import {
  type AffinityTerm,
  type Attempt,
  MAX_NODE_SCORE,
  type NamespaceLabels,
  type NodeScore,
  type NodeState,
  type Plugin,
  type PodFacts,
  type PreFilterResult,
  selects,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import { DomainCounts } from './domain-counts.js';

/** About a millisecond. A pod has room for ten thousand terms. */
const TERMS_PER_STEP = 5000;

export interface InterPodAffinityArgs {
  /** What each required affinity term of an existing pod that selects the incoming pod adds to the score of a node; 0 to 100. Default: 1. */
  readonly hardPodAffinityWeight?: number;
  /** Leave out the preferred terms of pods on nodes, unless the pod itself has preferred terms. Default: false. */
  readonly ignorePreferredTermsOfExistingPods?: boolean;
}

/** Obeys the affinity terms of the pod, and those of existing pods that select it. */
export function interPodAffinity(args: InterPodAffinityArgs = {}): Plugin {
  return {
    name: 'InterPodAffinity',
    interests: [
      { resource: 'AssignedPod', actions: ['Add', 'Update', 'Delete'] },
      { resource: 'Node', actions: ['Add', 'Update'] },
      { resource: 'Namespace', actions: ['Add', 'Update'] },
    ],
    preFilter,
    addPod: (attempt, added, node) => update(attempt, added, node, 1),
    removePod: (attempt, removed, node) => update(attempt, removed, node, -1),
    filter,
    preScore: (attempt) => preScore(attempt, args),
    score: ({ state }, node) => state.read(scoreState)?.totalOn(node) ?? 0,
    normalizeScore,
  };
}

interface Counts {
  /** Of pods whose anti-affinity terms select this pod. */
  readonly repelling: DomainCounts;
  /** Of pods that all of the pod's affinity terms select. */
  readonly attracting: DomainCounts;
  /** Of pods that one of the pod's anti-affinity terms selects. */
  readonly repelled: DomainCounts;
}

const filterState = new StateKey<Counts>(({ repelling, attracting, repelled }) => ({
  repelling: repelling.copy(),
  attracting: attracting.copy(),
  repelled: repelled.copy(),
}));

function* preFilter({ state, pod, snapshot }: Attempt): Steps<PreFilterResult> {
  const { required, requiredAnti } = pod.terms;
  const counts: Counts = {
    repelling: new DomainCounts(),
    attracting: new DomainCounts(),
    repelled: new DomainCounts(),
  };
  const comparesAll = required.length + requiredAnti.length > 0;
  const pace = new Pace(TERMS_PER_STEP);
  for (const node of comparesAll ? snapshot.nodes : snapshot.nodes.filter((each) => each.hasRepellingPods)) {
    for (const other of node.pods) {
      countPod(counts, pod, other, node, 1, snapshot.namespaceLabels);
      if (pace.endsStep(comparisonCost(pod) + comparisonCost(other))) yield;
    }
  }
  if (!comparesAll && counts.repelling.isEmpty) return { status: skip };
  state.write(filterState, counts);
  return { status: success };
}

function update({ state, pod, snapshot }: Attempt, other: PodFacts, node: NodeState, change: 1 | -1): void {
  const counts = state.read(filterState);
  if (counts !== undefined) countPod(counts, pod, other, node, change, snapshot.namespaceLabels);
}

function countPod(
  { repelling, attracting, repelled }: Counts,
  pod: PodFacts,
  other: PodFacts,
  node: NodeState,
  change: 1 | -1,
  labelsOf: NamespaceLabels,
): void {
  for (const term of other.terms.requiredAnti) {
    if (selects(term, pod, labelsOf)) repelling.add(node, term.topologyKey, change);
  }
  const { required, requiredAnti } = pod.terms;
  if (allSelect(required, other, labelsOf)) {
    for (const { topologyKey } of required) attracting.add(node, topologyKey, change);
  }
  for (const term of requiredAnti) {
    if (selects(term, other, labelsOf)) repelled.add(node, term.topologyKey, change);
  }
}

/** The cost of a comparison with the pod: one, and one for each of its terms. */
function comparisonCost({ terms: { required, requiredAnti, preferred, preferredAnti } }: PodFacts): number {
  return 1 + required.length + requiredAnti.length + preferred.length + preferredAnti.length;
}

function allSelect(terms: readonly AffinityTerm[], pod: PodFacts, labelsOf: NamespaceLabels): boolean {
  return terms.length > 0 && terms.every((term) => selects(term, pod, labelsOf));
}

function filter({ state, pod, snapshot }: Attempt, node: NodeState): Status {
  const counts = state.read(filterState);
  if (counts === undefined) return success;
  if (!satisfiesAffinity(counts, pod, node, snapshot.namespaceLabels)) {
    return unresolvable("node(s) didn't match pod affinity rules");
  }
  if (pod.terms.requiredAnti.some(({ topologyKey }) => counts.repelled.of(node, topologyKey) > 0)) {
    return unschedulable("node(s) didn't match pod anti-affinity rules");
  }
  if (counts.repelling.coversAny(node))
    return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
  return success;
}

/** A pod that its own terms select and that is the first of its group may go to any node that has the labels. */
function satisfiesAffinity({ attracting }: Counts, pod: PodFacts, node: NodeState, labelsOf: NamespaceLabels): boolean {
  const { required } = pod.terms;
  if (required.some(({ topologyKey }) => node.labels[topologyKey] === undefined)) return false;
  if (required.every(({ topologyKey }) => attracting.of(node, topologyKey) > 0)) return true;
  return attracting.isEmpty && allSelect(required, pod, labelsOf);
}

const scoreState = new StateKey<DomainCounts>();

function* preScore(
  { state, pod, snapshot }: Attempt,
  { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false }: InterPodAffinityArgs,
): Steps<Status> {
  const { preferred, preferredAnti } = pod.terms;
  const comparesAll = preferred.length + preferredAnti.length > 0;
  if (ignorePreferredTermsOfExistingPods && !comparesAll) return skip;
  const weights = new DomainCounts();
  const pace = new Pace(TERMS_PER_STEP);
  for (const node of comparesAll ? snapshot.nodes : snapshot.nodes.filter((each) => each.hasAffinePods)) {
    for (const other of node.pods) {
      if (comparesAll || other.hasAffinity) {
        weigh(weights, pod, other, { node, labelsOf: snapshot.namespaceLabels, hardPodAffinityWeight });
      }
      if (pace.endsStep(comparisonCost(pod) + comparisonCost(other))) yield;
    }
  }
  if (!weights.hasBeenUsed) return skip;
  state.write(scoreState, weights);
  return success;
}

interface WeighOptions {
  readonly node: NodeState;
  readonly labelsOf: NamespaceLabels;
  readonly hardPodAffinityWeight: number;
}

function weigh(
  weights: DomainCounts,
  pod: PodFacts,
  other: PodFacts,
  { node, labelsOf, hardPodAffinityWeight }: WeighOptions,
): void {
  const add = (terms: readonly AffinityTerm[], target: PodFacts, weightOf: (term: AffinityTerm) => number) => {
    for (const term of terms) if (selects(term, target, labelsOf)) weights.add(node, term.topologyKey, weightOf(term));
  };
  add(pod.terms.preferred, other, ({ weight }) => weight);
  add(pod.terms.preferredAnti, other, ({ weight }) => -weight);
  if (hardPodAffinityWeight > 0) add(other.terms.required, pod, () => hardPodAffinityWeight);
  add(other.terms.preferred, pod, ({ weight }) => weight);
  add(other.terms.preferredAnti, pod, ({ weight }) => -weight);
}

function normalizeScore(_: Attempt, scores: readonly NodeScore[]): void {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { score } of scores) {
    lowest = Math.min(lowest, score);
    highest = Math.max(highest, score);
  }
  const range = highest - lowest;
  for (const each of scores) each.score = range > 0 ? Math.floor(MAX_NODE_SCORE * ((each.score - lowest) / range)) : 0;
}
