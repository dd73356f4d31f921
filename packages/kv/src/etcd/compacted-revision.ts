import { abortable, type Clock } from '@binnacle/apimachinery/clock';
import { KVError } from '../interface/index.js';
import type { Caller } from './connection/caller.js';
import { CallDeadline } from './connection/deadline.js';
import { kvErrorOf } from './errors.js';
import { rangeMethod } from './messages/kv-messages.js';
import { fetchOldestRevision } from './watch/oldest-revision.js';

/** How many times to ask, if other clients compact meanwhile. */
const DISCOVERY_ATTEMPTS = 5;

export interface CompactedRevisionParts {
  readonly caller: Caller;
  readonly probeKey: string;
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
}

/** The revision up to which the store is compacted. etcd has no call that returns it. This class learns it from errors. */
export class CompactedRevision {
  readonly #parts: CompactedRevisionParts;
  /** The store is compacted at least up to this revision. */
  #known = 0;

  constructor(parts: CompactedRevisionParts) {
    this.#parts = parts;
  }

  /** Records that the store is compacted up to `revision`. */
  note(revision: number): void {
    this.#known = Math.max(this.#known, revision);
  }

  /** Whether a revision is compacted. Rejects like the call, unless the error says that the revision is compacted or in the future. */
  async includes(revision: number, signal?: AbortSignal): Promise<boolean> {
    const { caller, probeKey, timeoutMilliseconds } = this.#parts;
    const call = { key: Buffer.from(probeKey), revision: Math.max(revision, 1), countOnly: true };
    try {
      await caller.call(rangeMethod, call, { timeoutMilliseconds, signal });
      return false;
    } catch (error) {
      const meaning = kvErrorOf(error);
      if (meaning instanceof KVError && meaning.code === 'compacted') return true;
      if (meaning instanceof KVError && meaning.code === 'future') return false;
      throw error;
    }
  }

  async current(signal: AbortSignal | undefined): Promise<number> {
    const { caller, probeKey, clock, timeoutMilliseconds } = this.#parts;
    for (let attempt = 1; attempt <= DISCOVERY_ATTEMPTS; attempt += 1) {
      const known = Math.max(this.#known, 1);
      const further = await this.includes(known, signal).catch((error: unknown) => {
        throw kvErrorOf(error);
      });
      if (!further) break;
      const client = await caller.ready(new CallDeadline(clock, timeoutMilliseconds), signal);
      const question = { key: Buffer.from(probeKey), compacted: known };
      const asking = fetchOldestRevision(client, caller.authentication.current, question, clock);
      this.note(await abortable(asking, signal));
    }
    return this.#known;
  }
}
