/** Upstream: `flowcontrol.NewBackOff(1*time.Second, 15*time.Minute)`. */
const FIRST_MILLISECONDS = 1000;
const MOST_MILLISECONDS = 15 * 60_000;
/** An older entry no longer has an effect. */
const LIFETIME_MILLISECONDS = 2 * MOST_MILLISECONDS;

interface Entry {
  readonly delay: number;
  readonly since: number;
}

/** How long failed pods stay: a kubelet that rejects each pod at once would otherwise get a new one in a tight loop. */
export class PodBackoff {
  readonly #entries = new Map<string, Entry>();

  /** Milliseconds that are left. */
  left(key: string, now: number): number {
    const entry = this.#entries.get(key);
    return entry === undefined ? 0 : Math.max(0, entry.since + entry.delay - now);
  }

  /** A failed pod is deleted: the next one stays for twice as long. */
  next(key: string, now: number): void {
    this.#forgetOld(now);
    const delay = this.#entries.get(key)?.delay;
    this.#entries.delete(key);
    const doubled = delay === undefined ? FIRST_MILLISECONDS : Math.min(2 * delay, MOST_MILLISECONDS);
    this.#entries.set(key, { delay: doubled, since: now });
  }

  /** Entries are in the order of their age. */
  #forgetOld(now: number): void {
    for (const [key, { since }] of this.#entries) {
      if (now - since <= LIFETIME_MILLISECONDS) return;
      this.#entries.delete(key);
    }
  }
}
