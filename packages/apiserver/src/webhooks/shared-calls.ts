/** Callers that ask the same at the same time share one call. */
export class SharedCalls<V> {
  readonly #underWay = new Map<string, Promise<V>>();

  /** Resolves with the result of the call that is under way for this key, or of a new one. */
  async once(key: string, call: () => Promise<V>): Promise<V> {
    let pending = this.#underWay.get(key);
    if (pending === undefined) {
      pending = call().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, pending);
    }
    return pending;
  }
}
