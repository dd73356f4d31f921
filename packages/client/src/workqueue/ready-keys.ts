/** Keys that wait for a worker, by priority, then in order of arrival. */
export class ReadyKeys<K> {
  /** Priorities of the keys. */
  readonly #priorities = new Map<K, number>();
  readonly #byPriority = new Map<number, Set<K>>();
  /** Highest first. */
  #order: number[] = [];

  get size(): number {
    return this.#priorities.size;
  }

  /** A present key moves up if the new priority is higher. Returns false if the key was present. */
  add(key: K, priority: number): boolean {
    const before = this.#priorities.get(key);
    if (before !== undefined && before >= priority) return false;
    if (before !== undefined) this.#remove(key, before);
    this.#priorities.set(key, priority);
    let keys = this.#byPriority.get(priority);
    if (keys === undefined) {
      keys = new Set();
      this.#byPriority.set(priority, keys);
      this.#order = [...this.#byPriority.keys()].toSorted((a, b) => b - a);
    }
    keys.add(key);
    return before === undefined;
  }

  /** Removes and returns the next key. */
  take(): { readonly key: K } | undefined {
    const highest = this.#order[0];
    if (highest === undefined) return undefined;
    for (const key of this.#byPriority.get(highest) ?? []) {
      this.#remove(key, highest);
      return { key };
    }
    return undefined;
  }

  #remove(key: K, priority: number): void {
    this.#priorities.delete(key);
    const keys = this.#byPriority.get(priority);
    keys?.delete(key);
    if (keys?.size !== 0) return;
    this.#byPriority.delete(priority);
    this.#order = this.#order.filter((each) => each !== priority);
  }
}
