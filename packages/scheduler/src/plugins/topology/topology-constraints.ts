import { LabelSelector, labelSelectorFromMap, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import type { Steps } from '@binnacle/apimachinery/work';
import { fitsAffinity } from '@binnacle/api/pods';
import type { TopologySpreadConstraint } from '@binnacle/client/kinds/core/v1';
import type { Attempt, NodeState, PodFacts } from '../../framework/index.js';
import { hasUntoleratedTaint } from '../nodes/taint-toleration.js';

/** A constraint of the pod, ready to be compared. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: LabelSelector;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

export const HOSTNAME = 'kubernetes.io/hostname';

export function spreadConstraintsOf(
  pod: PodFacts,
  constraints: readonly TopologySpreadConstraint[],
  whenUnsatisfiable: TopologySpreadConstraint['whenUnsatisfiable'],
): SpreadConstraint[] {
  return constraints
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? 1,
      selector: selectorOf(pod, constraint),
      honorsAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
      honorsTaints: constraint.nodeTaintsPolicy === 'Honor',
    }));
}

/** `matchLabelKeys` adds the pod's own values to the selector. */
function selectorOf({ labels }: PodFacts, { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint) {
  const selector = labelSelectorFromObject(labelSelector);
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => matchLabelKeys.includes(key)));
  if (Object.keys(own).length === 0 || !selector.selectable) return selector;
  return new LabelSelector([...selector.requirements, ...labelSelectorFromMap(own).requirements]);
}

export function hasAllKeys({ labels }: NodeState, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(({ topologyKey }) => labels[topologyKey] !== undefined);
}

/**
 * Tells whether a constraint counts the node at all: its `nodeAffinityPolicy` and `nodeTaintsPolicy`. Compares the pod with the node
 * once for all constraints.
 */
export function countingOf(pod: PodFacts, { node }: NodeState): (constraint: SpreadConstraint) => boolean {
  let fits: boolean | undefined;
  let isRepelled: boolean | undefined;
  return ({ honorsAffinity, honorsTaints }) => {
    if (honorsAffinity && !(fits ??= fitsAffinity(pod.spec, node))) return false;
    return !honorsTaints || !(isRepelled ??= hasUntoleratedTaint(node.spec?.taints, pod.tolerations));
  };
}

const none: ReadonlyMap<string, number> = new Map();

/** The pods that the constraint counts on each node. An empty selector counts none. */
export function* matchingPods(
  { pod, snapshot }: Attempt,
  { selector }: SpreadConstraint,
): Steps<ReadonlyMap<string, number>> {
  return selector.isEmpty ? none : yield* snapshot.matchingPods(pod.namespace, selector);
}
