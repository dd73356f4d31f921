/** Names an entry of a {@link CycleState}. A plugin keeps its keys to itself. */
export class StateKey<T> {
  readonly copy: (value: T) => T;

  /** `copy` is called for each node on which a preemption is tried. The default shares the value, which must not change then. */
  constructor(copy: (value: T) => T = (value) => value) {
    this.copy = copy;
  }
}

interface Entry<T> {
  readonly key: StateKey<T>;
  readonly value: T;
}

/** What plugins remember during the attempt to schedule one pod. Upstream: `framework.CycleState`. */
export class CycleState {
  readonly #entries = new Map<object, Entry<unknown>>();
  /** The plugins whose PreFilter answered Skip. */
  readonly skippedFilters = new Set<string>();
  /** The plugins whose PreScore answered Skip. */
  readonly skippedScores = new Set<string>();

  /** Undefined if the plugin has not written it. */
  read<T>(key: StateKey<T>): T | undefined {
    // `write` is the only one that adds entries, and its key and value have the same type.
    return this.#entries.get(key)?.value as T | undefined;
  }

  write<T>(key: StateKey<T>, value: T): void {
    this.#entries.set(key, { key, value } as Entry<unknown>);
  }

  clone(): CycleState {
    const clone = new CycleState();
    for (const { key, value } of this.#entries.values()) clone.write(key, key.copy(value));
    for (const name of this.skippedFilters) clone.skippedFilters.add(name);
    for (const name of this.skippedScores) clone.skippedScores.add(name);
    return clone;
  }
}
