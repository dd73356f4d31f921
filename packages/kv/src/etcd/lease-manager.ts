export interface LeaseManagerOptions {
  /** Asks for a new lease of so many seconds; resolves with its number. */
  readonly grant: (seconds: number) => Promise<bigint>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly reuseSeconds: number;
  readonly maxObjects: number;
}

/** The longest time to live that etcd takes: 285 years. */
const LONGEST_SECONDS = 9_000_000_000;
const REUSE_SHARE = 0.05;

interface Lease {
  readonly id: Promise<bigint>;
  readonly endsAt: number;
  writes: number;
}

/**
 * Leases are dear to etcd, and most keys that expire have the same time to live. So a lease lives a little longer than was
 * asked for, and serves all writes that want it to end about then. Upstream: etcd3's lease manager.
 */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  #last: Lease | undefined;

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
  }

  /** A lease that ends no earlier than `ttlSeconds` from now; absent for a time beyond all leases. */
  async lease(ttlSeconds: number): Promise<bigint | undefined> {
    const seconds = Math.ceil(ttlSeconds);
    const reuse = Math.min(Math.floor(seconds * REUSE_SHARE), this.#options.reuseSeconds);
    if (seconds + reuse > LONGEST_SECONDS) return undefined;
    const last = this.#reusable(seconds, reuse) ?? this.#granted(seconds + reuse);
    last.writes += 1;
    return last.id;
  }

  /** The last lease is not to be used again: etcd does not know it any more. */
  forget(): void {
    this.#last = undefined;
  }

  #reusable(seconds: number, reuse: number): Lease | undefined {
    const last = this.#last;
    if (last === undefined || last.writes >= this.#options.maxObjects) return undefined;
    const left = (last.endsAt - this.#options.now()) / 1000;
    return left > seconds && left <= seconds + reuse ? last : undefined;
  }

  #granted(seconds: number): Lease {
    // Counted from before it is asked for, it ends here no later than there.
    const lease: Lease = {
      id: this.#options.grant(seconds),
      endsAt: this.#options.now() + seconds * 1000,
      writes: 0,
    };
    this.#last = lease;
    lease.id.catch(() => {
      if (this.#last === lease) this.#last = undefined;
    });
    return lease;
  }
}
