interface Recommendation {
  readonly replicas: number;
  readonly at: number;
}

interface ScaleEvent {
  /** The number of replicas added or removed. */
  readonly change: number;
  readonly at: number;
}

/** What an autoscaler remembers of the last minutes: recommended sizes, and changes of the size. Times are milliseconds. */
export class ScaleHistory {
  readonly uid: string;
  #recommendations: Recommendation[] = [];
  #ups: ScaleEvent[] = [];
  #downs: ScaleEvent[] = [];

  constructor(uid: string) {
    this.uid = uid;
  }

  /** The first size that an autoscaler sees counts as recommended, so that a restart does not shrink the target at once. */
  begin(replicas: number, now: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, at: now });
  }

  /** Recommendations older than the longest window are no longer needed. */
  recommend(replicas: number, now: number, longestWindow: number): void {
    this.#recommendations = this.#recommendations.filter(({ at }) => at >= now - longestWindow);
    this.#recommendations.push({ replicas, at: now });
  }

  /** The largest recommendation since then, `replicas` included. */
  highest(replicas: number, since: number): number {
    return this.#since(since).reduce((most, each) => Math.max(most, each), replicas);
  }

  /** The smallest recommendation since then, `replicas` included. */
  lowest(replicas: number, since: number): number {
    return this.#since(since).reduce((least, each) => Math.min(least, each), replicas);
  }

  /** `longestPeriod`: of the policies for this direction. */
  scaled(from: number, to: number, now: number, longestPeriod: number): void {
    const event = { change: Math.abs(to - from), at: now };
    const recent = ({ at }: ScaleEvent) => at >= now - longestPeriod;
    if (to > from) this.#ups = [...this.#ups.filter(recent), event];
    else this.#downs = [...this.#downs.filter(recent), event];
  }

  /** The replicas added and removed since then. */
  changesSince(since: number): { readonly added: number; readonly removed: number } {
    const sum = (events: readonly ScaleEvent[]) =>
      events.reduce((total, { change, at }) => (at > since ? total + change : total), 0);
    return { added: sum(this.#ups), removed: sum(this.#downs) };
  }

  #since(since: number): number[] {
    return this.#recommendations.filter(({ at }) => at > since).map(({ replicas }) => replicas);
  }
}
