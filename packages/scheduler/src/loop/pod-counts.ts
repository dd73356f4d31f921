import { LruMap } from '@binnacle/apimachinery/caches';
import type { LabelSelector } from '@binnacle/apimachinery/labels';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { PodFacts } from '../framework/index.js';

/** Of the workloads whose pods are being scheduled. */
const MOST_SELECTORS = 256;
/** Less than a millisecond of work. */
const PODS_PER_STEP = 1000;

interface Count {
  readonly namespace: string;
  readonly selector: LabelSelector;
  readonly byNode: Map<string, number>;
}

/**
 * How many pods each node has that a selector matches. The pods of a workload ask for the same numbers one after the other, and to count
 * all pods of a large cluster each time takes longer than all else. So numbers once counted are kept by changes.
 */
export class PodCounts {
  readonly #podsOf: ReadonlyMap<string, ReadonlyMap<string, PodFacts>>;
  readonly #known = new LruMap<string, Count>(MOST_SELECTORS);

  /** `podsOf`: the pods of each node, by uid. Every change of it must be told. */
  constructor(podsOf: ReadonlyMap<string, ReadonlyMap<string, PodFacts>>) {
    this.#podsOf = podsOf;
  }

  /** By the name of the node. Nothing may change before the last step. */
  *of(namespace: string, selector: LabelSelector): Steps<ReadonlyMap<string, number>> {
    const key = `${namespace}/${selector.selectable}/${selector.toString()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.byNode;
    const count: Count = { namespace, selector, byNode: new Map() };
    const pace = new Pace(PODS_PER_STEP);
    for (const [node, pods] of this.#podsOf) {
      for (const pod of pods.values()) {
        add(count, pod, node, 1);
        if (pace.endsStep()) yield;
      }
    }
    this.#known.set(key, count);
    return count.byNode;
  }

  /** A pod has come to a node, or gone. A new version comes after the former one has gone. */
  change(pod: PodFacts, node: string, change: 1 | -1): void {
    for (const count of this.#known.values()) add(count, pod, node, change);
  }
}

function add({ namespace, selector, byNode }: Count, pod: PodFacts, node: string, change: 1 | -1): void {
  if (pod.isTerminating || pod.namespace !== namespace || !selector.matches(pod.labels)) return;
  const sum = (byNode.get(node) ?? 0) + change;
  if (sum === 0) byNode.delete(node);
  else byNode.set(node, sum);
}
