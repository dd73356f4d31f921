import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import { hasHistory, type KV, KVError } from '@binnacle/kv';

export interface HistoryRetentionOptions {
  readonly kv: KV;
  /** The minimum time that events stay readable, in milliseconds; they are compacted soon after. 0 = forever. */
  readonly retentionMs: number;
  /** Forget only the values under this prefix, and keep the events; see KV. Default: compact all history. */
  readonly valuesUnder?: string | undefined;
  /** The oldest revision, of those not compacted yet, that must stay readable however old it is. Default: there is none. */
  readonly oldestKept?: (compactedRevision: number) => number | undefined;
  readonly clock: Clock;
  /** Receives the error of a failed compaction; the next tick tries again. */
  readonly report: (error: unknown) => void;
}

/** How many times per retention period the newest revision is recorded and old history compacted. */
const SAMPLES = 5;
/**
 * The minimum interval between ticks, whatever the retention. It limits the load on the store, and timers have a
 * longest delay.
 */
const SHORTEST_INTERVAL_MS = 100;
const LONGEST_INTERVAL_MS = 60 * 60_000;

/**
 * Bounds the store's history in time. Older history can no longer be watched or listed, and its space is reclaimed.
 * Runs until disposed.
 */
export class HistoryRetention implements Disposable {
  readonly #options: HistoryRetentionOptions;
  readonly #timer: Disposable | undefined;
  #noted: { readonly at: number; readonly revision: number }[] = [];
  #running = false;
  #isFirst = true;

  constructor(options: HistoryRetentionOptions) {
    this.#options = options;
    if (options.retentionMs === 0) return;
    const interval = Math.min(Math.max(options.retentionMs / SAMPLES, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS);
    this.#timer = repeat(options.clock, interval, () => void this.tick());
  }

  /**
   * Records the newest revision and compacts up to the newest recorded one that is old enough. The first tick compacts what
   * an earlier process has left. Never rejects.
   */
  async tick(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const { kv, clock, retentionMs, report } = this.#options;
    try {
      const at = clock.monotonic();
      const old = this.#noted.filter((note) => at - note.at >= retentionMs);
      this.#noted = this.#noted.slice(old.length);
      const target = old.at(-1)?.revision ?? (this.#isFirst ? await this.#tooOld() : undefined);
      this.#isFirst = false;
      if (target !== undefined) await this.#compact(target);
      this.#noted.push({ at, revision: await kv.currentRevision() });
    } catch (error) {
      report(error);
    } finally {
      this.#running = false;
    }
  }

  async #compact(target: number): Promise<void> {
    const { kv, oldestKept, valuesUnder } = this.#options;
    const { compactedRevision } = await kv.status();
    // Nothing is awaited in between, so that a revision to keep is known before it is compacted, or is refused.
    const through = Math.min(target, oldestKept?.(compactedRevision) ?? target);
    await (valuesUnder === undefined ? kv.compact(through) : kv.forgetValues?.(valuesUnder, through));
  }

  /** The newest revision that is too old. An earlier process may have ended before it could compact it. Undefined if there is none. */
  async #tooOld(): Promise<number | undefined> {
    const { kv, clock, retentionMs } = this.#options;
    if (!hasHistory(kv)) return undefined;
    try {
      const revision = await kv.revisionAt(clock.now() - retentionMs);
      return revision > 1 ? revision : undefined;
    } catch (error) {
      if (error instanceof KVError && error.code === 'compacted') return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }
}
