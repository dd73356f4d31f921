import type { Clock } from '../clock/index.js';
import type { ResourceClient } from '../dynamic/index.js';
import type { Lease, LeaseSpec } from '../kinds/generated/coordination/v1.js';
import { isAlreadyExists, isConflict, isNotFound } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import { heldBy, released } from './lease.js';
import { ObservedLease } from './observed-lease.js';

export interface LeaseLockOptions {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  /** Milliseconds. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/**
 * A Lease as a lock that somebody holds for a time. Every write says which version it was made from, so that of two who write at once one is
 * refused. Rejects with a conflict, or as already existing, when somebody else was faster, and as the client does.
 */
export class LeaseLock implements Disposable {
  readonly #client: ResourceClient<Lease>;
  readonly #options: LeaseLockOptions;
  readonly #observed: ObservedLease;
  #mayBeOurs = false;

  constructor(client: ResourceClient<Lease>, options: LeaseLockOptions) {
    this.#client = client;
    this.#options = options;
    this.#observed = new ObservedLease(options.clock, options.leaseDuration);
  }

  /** As it was last seen. */
  get lease(): Lease | undefined {
    return this.#observed.lease;
  }

  get holder(): string | undefined {
    return this.#observed.holder;
  }

  /** A write has been sent that says that it is ours, whatever became of it. */
  get mayBeOurs(): boolean {
    return this.#mayBeOurs;
  }

  /** For those who do not hold it. False: another has it. */
  async acquire(options: SendOptions): Promise<boolean> {
    const lease = await this.#read(options);
    if (this.#isOthers() && !this.#observed.hasExpired) return false;
    await this.#write(lease, this.#heldByUs(), options);
    return true;
  }

  /** For the holder, who knows its last version as long as nobody else writes it. False: another has it. */
  async renew(options: SendOptions): Promise<boolean> {
    try {
      await this.#write(this.lease, this.#heldByUs(), options);
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
    }
    const lease = await this.#read(options);
    if (this.#isOthers()) return false;
    await this.#write(lease, this.#heldByUs(), options);
    return true;
  }

  /** Empties it if it is ours. */
  async release(options: SendOptions): Promise<void> {
    const lease = await this.#read(options);
    if (this.holder === this.#options.identity) {
      await this.#write(lease, released(lease?.spec, this.#options.clock.now()), options);
    }
    this.#mayBeOurs = false;
  }

  [Symbol.dispose](): void {
    this.#observed[Symbol.dispose]();
  }

  #isOthers(): boolean {
    return this.holder !== undefined && this.holder !== this.#options.identity;
  }

  #heldByUs(): LeaseSpec {
    const { identity, leaseDuration, clock } = this.#options;
    return heldBy(identity, leaseDuration / 1000, this.lease?.spec, clock.now());
  }

  async #read(options: SendOptions): Promise<Lease | undefined> {
    const lease = await this.#client.get(this.#options.name, options).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    this.#observed.observe(lease);
    return lease;
  }

  async #write(before: Lease | undefined, spec: LeaseSpec, options: SendOptions): Promise<void> {
    const { namespace, name } = this.#options;
    this.#mayBeOurs = true;
    const fresh: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name }, spec };
    const written =
      before === undefined ? this.#client.create(fresh, options) : this.#client.update({ ...before, spec }, options);
    this.#observed.observe(await written);
  }
}
