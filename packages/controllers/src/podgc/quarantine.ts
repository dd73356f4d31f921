/** Upstream: `quarantineTime`. */
const QUARANTINE_MILLISECONDS = 40_000;

/** Nodes that have pods but are missing from the cache. The cache may be stale, so the loop asks the server after a while. */
export class Quarantine {
  /** When to ask, by node. */
  readonly #until = new Map<string, number>();

  /** Takes the nodes that are missing now, and returns those to ask the server about. */
  due(missing: readonly string[], now: number): string[] {
    const present = new Set(missing);
    for (const node of missing) if (!this.#until.has(node)) this.#until.set(node, now + QUARANTINE_MILLISECONDS);
    const due: string[] = [];
    for (const [node, until] of this.#until) {
      if (until > now && present.has(node)) continue;
      this.#until.delete(node);
      if (present.has(node)) due.push(node);
    }
    return due;
  }
}
