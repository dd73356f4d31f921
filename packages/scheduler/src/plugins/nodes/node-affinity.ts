import { fitsAffinity, matchesNodeTerm } from '@binnacle/api/pods';
import type { NodeAffinity, NodeSelectorTerm, PodSpec, PreferredSchedulingTerm } from '@binnacle/client/kinds/core/v1';
import {
  type Attempt,
  type NodeState,
  type Plugin,
  type PreFilterResult,
  skip,
  success,
  unresolvable,
} from '../../framework/index.js';
import { stretch } from '../normalize.js';

/** Permits the nodes that the pod's selector and required affinity select, and prefers those that its preferences select. */
export function nodeAffinity({ addedAffinity = {} }: NodeAffinityArgs = {}): Plugin {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = addedAffinity;
  const added = addedAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const enforced = withAffinity(addedAffinity);
  return {
    name: 'NodeAffinity',
    interests: [{ resource: 'Node', actions: ['Add', 'Update'] }],
    preFilter: (attempt) => preFilter(attempt, required !== undefined),
    filter: ({ pod }, { node }) => {
      if (required !== undefined && !fitsAffinity(enforced, node))
        return unresolvable("node(s) didn't match scheduler-enforced node affinity");
      return fitsAffinity(pod.spec, node) ? success : unresolvable("node(s) didn't match Pod's node affinity/selector");
    },
    preScore: (attempt) => (preferencesOf(attempt).length + added.length === 0 ? skip : success),
    score: (attempt, node) => weightOf(added, node) + weightOf(preferencesOf(attempt), node),
    normalizeScore: (_, scores) => stretch(scores),
  };
}

export interface NodeAffinityArgs {
  /** Applies to all pods, in addition to their own. */
  readonly addedAffinity?: NodeAffinity;
}

function withAffinity(nodeAffinity: NodeAffinity): PodSpec {
  return { containers: [], affinity: { nodeAffinity } };
}

function preFilter({ pod }: Attempt, hasAdded: boolean): PreFilterResult {
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return { status: pod.spec.nodeSelector === undefined && !hasAdded ? skip : success };
  const names = new Set<string>();
  for (const term of required.nodeSelectorTerms) {
    const ofTerm = namesOf(term);
    if (ofTerm === undefined) return { status: success };
    for (const name of ofTerm) names.add(name);
  }
  if (required.nodeSelectorTerms.length === 0) return { status: success };
  if (names.size === 0) return { status: unresolvable('pod affinity terms conflict') };
  return { status: success, nodeNames: names };
}

/** The nodes that a term selects by name; undefined if it does not. */
function namesOf({ matchFields = [] }: NodeSelectorTerm): Set<string> | undefined {
  let names: Set<string> | undefined;
  for (const { key, operator, values = [] } of matchFields) {
    if (key !== 'metadata.name' || operator !== 'In') continue;
    const before = names;
    names = new Set(before === undefined ? values : values.filter((value) => before.has(value)));
  }
  return names;
}

function preferencesOf({ pod }: Attempt) {
  return pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** A preference without requirements selects no node. */
function weightOf(preferences: readonly PreferredSchedulingTerm[], { node }: NodeState): number {
  let total = 0;
  for (const { weight, preference } of preferences) {
    if (weight !== 0 && matchesNodeTerm(preference, node)) total += weight;
  }
  return total;
}
