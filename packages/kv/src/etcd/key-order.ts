/** Runs calls on one key in order, one after another. Calls on different keys do not wait. */
export class KeyOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const result = before === undefined ? action() : before.then(action);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key);
      });
    this.#last.set(key, settled);
    return result;
  }
}
