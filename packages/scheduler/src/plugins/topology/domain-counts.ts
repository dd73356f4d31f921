import type { NodeState } from '../../framework/index.js';

/** Sums by the domain of nodes: a label and its value. */
export class DomainCounts {
  /** The original of this copy. It no longer changes. */
  readonly #origin: DomainCounts | undefined;
  /** By label and value; those of the origin apply where one is missing. */
  readonly #sums = new Map<string, Map<string, number>>();
  #hasBeenUsed = false;
  /** How many sums are not 0. */
  #size = 0;

  constructor(origin?: DomainCounts) {
    this.#origin = origin;
    if (origin === undefined) return;
    this.#hasBeenUsed = origin.#hasBeenUsed;
    this.#size = origin.#size;
    for (const key of origin.#sums.keys()) this.#sums.set(key, new Map());
  }

  /** True once a node with the label was added, also if its sum is 0. */
  get hasBeenUsed(): boolean {
    return this.#hasBeenUsed;
  }

  /** All sums are 0. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add({ labels }: NodeState, key: string, amount: number): void {
    const value = labels[key];
    if (value === undefined) return;
    this.#hasBeenUsed = true;
    const before = this.#get(key, value);
    const values = this.#sums.get(key) ?? new Map<string, number>();
    this.#sums.set(key, values.set(value, before + amount));
    this.#size += Number(before + amount !== 0) - Number(before !== 0);
  }

  /** The sum of the node's domain. */
  of({ labels }: NodeState, key: string): number {
    const value = labels[key];
    return value === undefined ? 0 : this.#get(key, value);
  }

  /** The sums of all domains of the node together. */
  totalOn(node: NodeState): number {
    let total = 0;
    for (const key of this.#sums.keys()) total += this.of(node, key);
    return total;
  }

  /** Whether one of the node's domains has a sum above 0. */
  coversAny(node: NodeState): boolean {
    for (const key of this.#sums.keys()) if (this.of(node, key) > 0) return true;
    return false;
  }

  /** A copy that can change. It holds only its changes, because a large cluster has many sums. */
  copy(): DomainCounts {
    return new DomainCounts(this);
  }

  #get(key: string, value: string): number {
    return this.#sums.get(key)?.get(value) ?? (this.#origin === undefined ? 0 : this.#origin.#get(key, value));
  }
}
