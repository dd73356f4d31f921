import type { ObjectStorage } from '../storage/index.js';

/** How often to request progress from a remote store while no reader waits, for the bookmarks of idle resources. */
const INTERVAL_MS = 30_000;

/**
 * Requests progress from a remote store now and then. Without it, the position of an idle feed falls behind the
 * store's compaction.
 */
export class IdleProgress {
  readonly #storage: Pick<ObjectStorage, 'isRemote' | 'requestProgress'>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(storage: Pick<ObjectStorage, 'isRemote' | 'requestProgress'>) {
    this.#storage = storage;
  }

  /** Later calls do nothing. */
  start(): void {
    if (!this.#storage.isRemote || this.#timer !== undefined || this.#stopped) return;
    this.#timer = setInterval(() => this.#storage.requestProgress(), INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
