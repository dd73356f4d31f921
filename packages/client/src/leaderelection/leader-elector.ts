import { hostname } from 'node:os';
import {
  Backoff,
  type Clock,
  Deadline,
  type Random,
  reasonOf,
  sleep,
  systemClock,
  systemRandom,
} from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '../dynamic/index.js';
import { Lease } from '../kinds/generated/coordination/v1.js';
import { isAlreadyExists, isConflict, retryOnConflict, warnOfError } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import { LeaseLock } from './lease-lock.js';
import { JITTER, type LeaderElectionOptions, type LeaseTimes, timesOf } from './options.js';
import { Term } from './term.js';

/** A candidate for leadership. Only the leader works. The README has the guarantees. */
export class LeaderElector {
  readonly identity: string;
  readonly #options: LeaderElectionOptions;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lock: LeaseLock;
  #term: Term | undefined;
  #reportedLeader: string | undefined;

  /** Throws a RangeError for inconsistent durations and for an empty identity. */
  constructor(client: DynamicClient, options: LeaderElectionOptions) {
    const { namespace, name, clock = systemClock, random = systemRandom } = options;
    const { identity = `${hostname()}_${random.uuid()}` } = options;
    if (identity === '') throw new RangeError('the identity is empty, which marks a Lease without a holder');
    this.identity = identity;
    this.#options = options;
    this.#times = timesOf(options);
    this.#clock = clock;
    this.#random = random;
    const { leaseDuration } = this.#times;
    this.#lock = new LeaseLock(client.resource(Lease).namespace(namespace), {
      namespace,
      name,
      identity,
      leaseDuration,
      clock,
    });
  }

  /** Whether this candidate leads. It becomes false before another candidate can lead. */
  get isLeader(): boolean {
    return this.#term?.isOver === false;
  }

  /** The leader as last observed; undefined if there is none. */
  get leader(): string | undefined {
    return this.#lock.holder;
  }

  /**
   * Waits for leadership, then runs the work. Resolves when the work has ended, or when the signal fires before it has started. The work's signal
   * fires with `signal` and when leadership is lost; after a loss the work must end within `leaseDuration - renewDeadline`. Rejects with a
   * {@link LeadershipLostError} after a loss or with the error of the work, always after the work has ended. Do not call it again before it has
   * settled.
   */
  async run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      using term = await this.#acquire(signal);
      if (term !== undefined) await this.#lead(term, work, signal);
    } finally {
      this.#term = undefined;
      if (this.#lock.mayBeOurs && this.#options.releaseOnStop !== false) await this.#release();
      this.#lock[Symbol.dispose]();
    }
  }

  /** Resolves to undefined if the signal fires first. */
  async #acquire(signal: AbortSignal): Promise<Term | undefined> {
    const { renewDeadline, retryPeriod } = this.#times;
    const jitter = { share: JITTER, random: this.#random };
    const pauses = new Backoff({ initial: retryPeriod, factor: 1, jitter });
    while (!signal.aborted) {
      const term = new Term(this.#clock, renewDeadline);
      const isOurs = await term.renew(() => this.#try((options) => this.#lock.acquire(options), signal));
      if (isOurs && !signal.aborted) {
        this.#term = term;
        this.#reportLeader();
        return term;
      }
      term[Symbol.dispose]();
      this.#reportLeader();
      await sleep(this.#clock, pauses.next(), signal).catch(() => undefined);
    }
    return undefined;
  }

  async #lead(term: Term, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const finished = new AbortController();
    const renewing = this.#renew(term, AbortSignal.any([finished.signal, term.signal]));
    const ending = AbortSignal.any([signal, term.signal]);
    this.#record('became leader');
    try {
      await work(ending);
    } catch (error) {
      if (!ending.aborted || error !== ending.reason) throw error;
    } finally {
      finished.abort();
      await renewing;
      this.#record('stopped leading');
    }
    if (term.isOver && !signal.aborted) throw reasonOf(term.signal);
  }

  /** Renews until the signal fires, also while the work is ending, so that no other candidate can start. */
  async #renew(term: Term, signal: AbortSignal): Promise<void> {
    const { retryPeriod } = this.#times;
    let pause = retryPeriod;
    for (;;) {
      await sleep(this.#clock, pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      const began = this.#clock.monotonic();
      const isRenewed = await term.renew(() => this.#try((options) => this.#lock.renew(options), signal));
      this.#reportLeader();
      if (this.leader !== undefined && this.leader !== this.identity) {
        term.end(`leadership lost: ${this.leader} holds the lease ${this.#name}`);
      }
      const took = Math.max(0, this.#clock.monotonic() - began);
      pause = isRenewed ? retryPeriod : Math.max(0, retryPeriod - took);
    }
  }

  /** One attempt within `tryTimeout`. Resolves to true only if this candidate is known to hold the lease. */
  async #try(send: (options: SendOptions) => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    using deadline = new Deadline(this.#clock, this.#times.tryTimeout, signal, `lease ${this.#name}`);
    try {
      return await send({ signal: deadline.signal });
    } catch (error) {
      // Another candidate won the race. The next attempt will observe its write.
      if (!isConflict(error) && !isAlreadyExists(error) && !signal.aborted) this.#report(error);
      return false;
    }
  }

  /** A failure is only reported, since the lease expires anyway. */
  async #release(): Promise<void> {
    using deadline = new Deadline(this.#clock, this.#times.tryTimeout, undefined, `release of lease ${this.#name}`);
    try {
      await retryOnConflict(() => this.#lock.release({ signal: deadline.signal }), {
        clock: this.#clock,
        random: this.#random,
      });
    } catch (error) {
      this.#report(error);
    }
  }

  get #name(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }

  #record(what: string): void {
    const { lease } = this.#lock;
    if (lease !== undefined)
      this.#options.recorder?.event(lease, 'Normal', 'LeaderElection', `${this.identity} ${what}`);
  }

  #reportLeader(): void {
    const { leader } = this;
    if (leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    if (leader === undefined) return;
    try {
      this.#options.onNewLeader?.(leader);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    const { onError = warnOfError } = this.#options;
    onError(error);
  }
}
