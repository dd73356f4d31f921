import type { Clock } from '@binnacle/apimachinery/clock';

export interface LeaseManagerOptions {
  /** Requests a lease of this many seconds; resolves with its id. */
  readonly grant: (seconds: number) => Promise<bigint>;
  readonly clock: Clock;
  readonly reuseSeconds: number;
  readonly maxObjects: number;
}

/** The longest TTL that etcd accepts: 285 years. */
const LONGEST_SECONDS = 9_000_000_000;
const REUSE_SHARE = 0.05;

interface Lease {
  readonly id: Promise<bigint>;
  readonly endsAt: number;
  writes: number;
}

/**
 * Leases are expensive for etcd, and most expiring keys have the same TTL. So a lease lives slightly longer than
 * requested, and serves all writes that expire at about that time. Upstream: etcd3's lease manager.
 */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  #last: Lease | undefined;

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
  }

  /** A lease that lasts at least `ttlSeconds` from now; absent for a TTL beyond the longest lease. */
  async lease(ttlSeconds: number): Promise<bigint | undefined> {
    const seconds = Math.ceil(ttlSeconds);
    const reuse = Math.min(Math.floor(seconds * REUSE_SHARE), this.#options.reuseSeconds);
    if (seconds + reuse > LONGEST_SECONDS) return undefined;
    const last = this.#reusable(seconds, reuse) ?? this.#granted(seconds + reuse);
    last.writes += 1;
    return last.id;
  }

  /** Drops the last lease, which etcd no longer knows. */
  forget(): void {
    this.#last = undefined;
  }

  #reusable(seconds: number, reuse: number): Lease | undefined {
    const last = this.#last;
    if (last === undefined || last.writes >= this.#options.maxObjects) return undefined;
    const left = (last.endsAt - this.#options.clock.monotonic()) / 1000;
    return left > seconds && left <= seconds + reuse ? last : undefined;
  }

  #granted(seconds: number): Lease {
    // Measured from before the request, so it expires here no later than in etcd.
    const lease: Lease = {
      id: this.#options.grant(seconds),
      endsAt: this.#options.clock.monotonic() + seconds * 1000,
      writes: 0,
    };
    this.#last = lease;
    lease.id.catch(() => {
      if (this.#last === lease) this.#last = undefined;
    });
    return lease;
  }
}
