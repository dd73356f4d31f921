import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import type { ObjectStorage } from '../storage/index.js';

/** How often to request progress from a remote store while no reader waits, for the bookmarks of idle resources. */
const INTERVAL_MS = 30_000;

/**
 * Requests progress from a remote store now and then. Without it, the position of an idle feed falls behind the
 * store's compaction.
 */
export class IdleProgress {
  readonly #storage: Pick<ObjectStorage, 'isRemote' | 'requestProgress'>;
  #timer: Disposable | undefined;
  readonly #clock: Clock;
  #stopped = false;

  constructor(storage: Pick<ObjectStorage, 'isRemote' | 'requestProgress'>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Later calls do nothing. */
  start(): void {
    if (!this.#storage.isRemote || this.#timer !== undefined || this.#stopped) return;
    this.#timer = repeat(this.#clock, INTERVAL_MS, () => void this.#storage.requestProgress());
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.[Symbol.dispose]();
  }
}
