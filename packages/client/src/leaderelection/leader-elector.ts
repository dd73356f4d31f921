import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Backoff, type Clock, Deadline, reasonOf, sleep, systemClock } from '../clock/index.js';
import type { DynamicClient } from '../dynamic/index.js';
import { Lease } from '../kinds/generated/coordination/v1.js';
import { isAlreadyExists, isConflict, retryOnConflict, warnOfError } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import { LeaseLock } from './lease-lock.js';
import { JITTER, type LeaderElectionOptions, type LeaseTimes, timesOf } from './options.js';
import { Term } from './term.js';

/** One of several candidates for the same work, of whom one at a time does it. See the README for what it promises. */
export class LeaderElector {
  readonly identity: string;
  readonly #options: LeaderElectionOptions;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  readonly #lock: LeaseLock;
  #term: Term | undefined;
  #reportedLeader: string | undefined;

  /** Throws a RangeError for durations that do not go together. */
  constructor(client: DynamicClient, options: LeaderElectionOptions) {
    const { namespace, name, clock = systemClock, identity = `${hostname()}_${randomUUID()}` } = options;
    if (identity === '') throw new RangeError('the identity is empty, which in a Lease means nobody');
    this.identity = identity;
    this.#options = options;
    this.#times = timesOf(options);
    this.#clock = clock;
    const { leaseDuration } = this.#times;
    this.#lock = new LeaseLock(client.resource(Lease).namespace(namespace), {
      namespace,
      name,
      identity,
      leaseDuration,
      clock,
    });
  }

  /** Whether this one leads, for sure: before another can, it is false. */
  get isLeader(): boolean {
    return this.#term?.isOver === false;
  }

  /** Who leads, as far as is known here; undefined while nobody does. */
  get leader(): string | undefined {
    return this.#lock.holder;
  }

  /**
   * Waits until this one leads, and does the work. Resolves when the work has ended, or when the signal fires before it has begun. The work's
   * own signal fires with `signal`, and when leadership is lost; after a loss it must end within `leaseDuration - renewDeadline`. Rejects
   * with a {@link LeadershipLostError} after a loss, and with what the work throws, in any case after the work has ended. Not to be called
   * again before it has settled.
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

  /** Undefined: the signal has fired. */
  async #acquire(signal: AbortSignal): Promise<Term | undefined> {
    const { renewDeadline, retryPeriod } = this.#times;
    const { random = Math.random } = this.#options;
    const pauses = new Backoff({ initial: retryPeriod, factor: 1, jitter: JITTER, random });
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

  /** Until the signal fires. Goes on while the work is ending: until then nobody else may begin. */
  async #renew(term: Term, signal: AbortSignal): Promise<void> {
    const { retryPeriod } = this.#times;
    let pause = retryPeriod;
    for (;;) {
      await sleep(this.#clock, pause, signal).catch(() => undefined);
      if (signal.aborted) return;
      const began = this.#clock.now();
      const isRenewed = await term.renew(() => this.#try((options) => this.#lock.renew(options), signal));
      this.#reportLeader();
      if (this.leader !== undefined && this.leader !== this.identity) {
        term.end(`leadership lost: ${this.leader} has the lease ${this.#name}`);
      }
      const took = Math.max(0, this.#clock.now() - began);
      pause = isRenewed ? retryPeriod : Math.max(0, retryPeriod - took);
    }
  }

  /** Once, in the time that one try has: whether the lease is ours now, for sure. */
  async #try(send: (options: SendOptions) => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    using deadline = new Deadline(this.#clock, this.#times.tryTimeout, signal, `lease ${this.#name}`);
    try {
      return await send({ signal: deadline.signal });
    } catch (error) {
      // Somebody was faster: no failure, and seen with the next try.
      if (!isConflict(error) && !isAlreadyExists(error) && !signal.aborted) this.#report(error);
      return false;
    }
  }

  /** A failure does no harm: the lease expires. */
  async #release(): Promise<void> {
    using deadline = new Deadline(this.#clock, this.#times.tryTimeout, undefined, `release of lease ${this.#name}`);
    try {
      await retryOnConflict(() => this.#lock.release({ signal: deadline.signal }), { clock: this.#clock });
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
