import type { Clock } from '@binnacle/apimachinery/clock';
import type { ResourceClient } from '../dynamic/index.js';
import type { Lease, LeaseSpec } from '../kinds/generated/coordination/v1.js';
import { isAlreadyExists, isConflict, isNotFound } from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import { heldBy, ObservedLease, released } from './lease.js';

export interface LeaseLockOptions {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  /** Milliseconds. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/**
 * A Lease used as a lock. Every write carries the resourceVersion that it is based on, so the server refuses one of two concurrent writes. Methods
 * reject with Conflict or AlreadyExists after a lost race, and otherwise as the client does.
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

  /** As last observed. */
  get lease(): Lease | undefined {
    return this.#observed.lease;
  }

  get holder(): string | undefined {
    return this.#observed.holder;
  }

  /** Whether a write that claims the lease was sent; its outcome may be unknown. */
  get mayBeOurs(): boolean {
    return this.#mayBeOurs;
  }

  /** For candidates. Resolves to false if another candidate holds the lease. */
  async acquire(options: SendOptions): Promise<boolean> {
    const lease = await this.#read(options);
    if (this.#isHeldByOther() && !this.#observed.hasExpired) return false;
    await this.#write(lease, this.#heldByUs(), options);
    return true;
  }

  /** For the holder. It writes without a read first, based on its own last write. Resolves to false if another candidate holds the lease. */
  async renew(options: SendOptions): Promise<boolean> {
    try {
      await this.#write(this.lease, this.#heldByUs(), options);
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
    }
    const lease = await this.#read(options);
    if (this.#isHeldByOther()) return false;
    await this.#write(lease, this.#heldByUs(), options);
    return true;
  }

  /** Clears the holder if it is this candidate. */
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

  #isHeldByOther(): boolean {
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
