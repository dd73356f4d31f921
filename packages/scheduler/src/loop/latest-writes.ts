/**
 * Writes one at a time for each key. What comes while a write is under way is merged into one that follows it: many attempts
 * with a pod must not hold as many copies of it.
 */
export class LatestWrites<T extends object> {
  /** The changes that follow the write under way; undefined = none so far. */
  readonly #following = new Map<string, T | undefined>();
  readonly #merge: (earlier: T, later: T) => T;

  constructor(merge: (earlier: T, later: T) => T) {
    this.#merge = merge;
  }

  /** Resolves at once if a write of the key is under way. Rejects with the last error, after all changes were tried. */
  async write(key: string, change: T, write: (change: T) => Promise<void>): Promise<void> {
    if (this.#following.has(key)) {
      const earlier = this.#following.get(key);
      this.#following.set(key, earlier === undefined ? change : this.#merge(earlier, change));
      return;
    }
    const failures: unknown[] = [];
    for (let next: T | undefined = change; next !== undefined; next = this.#following.get(key)) {
      this.#following.set(key, undefined);
      await write(next).catch((error: unknown) => failures.push(error));
    }
    this.#following.delete(key);
    if (failures.length > 0) throw failures.at(-1);
  }
}
