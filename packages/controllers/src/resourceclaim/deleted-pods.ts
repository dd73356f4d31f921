/** The uids of the last deleted pods, so that the loop need not ask the server about each of their claims. */
export class DeletedPods {
  readonly #uids = new Set<string>();
  readonly #limit: number;

  constructor(limit = 500) {
    this.#limit = limit;
  }

  add(uid: string): void {
    this.#uids.add(uid);
    for (const oldest of this.#uids) {
      if (this.#uids.size <= this.#limit) return;
      this.#uids.delete(oldest);
    }
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
