import type { KV } from '@binnacle/kv/interface';

export interface HistoryRetentionOptions {
  readonly kv: KV;
  /** Events stay readable for at least this long, milliseconds, and for little more; 0 = for ever. */
  readonly retentionMs: number;
  readonly now: () => number;
  /** Told of a compaction that failed; the next one tries again. */
  readonly report: (error: unknown) => void;
}

/** So many times in a retention period the newest revision is noted, and what has grown too old is forgotten. */
const SAMPLES = 5;
/** Between two looks, whatever the retention: a store is not looked at all the time, and a timer has a longest time. */
const SHORTEST_INTERVAL_MS = 100;
const LONGEST_INTERVAL_MS = 60 * 60_000;

/**
 * Keeps the store's history bounded in time: what is older than the retention can no longer be watched from or listed
 * at, and its space is free again. Runs until disposed.
 */
export class HistoryRetention implements Disposable {
  readonly #options: HistoryRetentionOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #noted: { readonly at: number; readonly revision: number }[] = [];
  #running = false;

  constructor(options: HistoryRetentionOptions) {
    this.#options = options;
    if (options.retentionMs === 0) return;
    const interval = Math.min(Math.max(options.retentionMs / SAMPLES, SHORTEST_INTERVAL_MS), LONGEST_INTERVAL_MS);
    this.#timer = setInterval(() => void this.tick(), interval);
    this.#timer.unref();
  }

  /** Notes the newest revision and compacts up to the newest one that is old enough. Never rejects. */
  async tick(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    const { kv, now, retentionMs, report } = this.#options;
    try {
      const at = now();
      const old = this.#noted.filter((note) => at - note.at >= retentionMs);
      this.#noted = this.#noted.slice(old.length);
      const target = old.at(-1);
      if (target !== undefined) await kv.compact(target.revision);
      this.#noted.push({ at, revision: await kv.currentRevision() });
    } catch (error) {
      report(error);
    } finally {
      this.#running = false;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
