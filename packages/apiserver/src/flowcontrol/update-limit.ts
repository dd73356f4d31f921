const MINUTE_MS = 60_000;
const MAXIMUM = 6;

/**
 * Limits how often an object is updated: six times a minute. Servers that disagree about it would otherwise overwrite each
 * other without end. Upstream: `shouldDelayUpdate`.
 */
export class UpdateLimit {
  readonly #times = new Map<string, number[]>();

  /** Whether the object may be updated now, which then counts as an update. `now`: milliseconds. */
  admits(name: string, now: number): boolean {
    const recent = (this.#times.get(name) ?? []).filter((time) => time > now - MINUTE_MS);
    const isAdmitted = recent.length < MAXIMUM;
    if (isAdmitted) recent.push(now);
    this.#times.set(name, recent);
    return isAdmitted;
  }

  /** Forgets all other objects. */
  retain(names: ReadonlySet<string>): void {
    for (const name of this.#times.keys()) if (!names.has(name)) this.#times.delete(name);
  }
}
