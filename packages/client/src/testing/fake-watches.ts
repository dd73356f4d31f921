import type { WatchEvent } from '../rest/index.js';

/** One watch: what it still has to tell, and how it ends. */
interface Watcher {
  readonly pending: WatchEvent[];
  readonly takesBookmarks: boolean;
  /** Undefined: goes on. */
  end: { readonly error: Error | undefined } | undefined;
  wake: () => void;
}

export interface FakeWatch {
  /** What it begins with. */
  readonly pending: WatchEvent[];
  readonly takesBookmarks: boolean;
  readonly signal: AbortSignal | undefined;
  /** Nothing arrives before. */
  readonly delivered: () => Promise<void>;
}

/** The watches of one resource on a server that is not there. */
export class FakeWatches {
  readonly #watchers = new Set<Watcher>();

  get size(): number {
    return this.#watchers.size;
  }

  tell(event: WatchEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.end !== undefined || (event.type === 'BOOKMARK' && !watcher.takesBookmarks)) continue;
      watcher.pending.push(event);
      watcher.wake();
    }
  }

  /** Without an error, as a server does when their time is up. */
  endAll(error?: Error): void {
    for (const watcher of this.#watchers) {
      watcher.end ??= { error };
      watcher.wake();
    }
  }

  /** Counts from the first event that is asked for until it ends. */
  async *run({ pending, takesBookmarks, signal, delivered }: FakeWatch): AsyncGenerator<WatchEvent> {
    const watcher: Watcher = { pending, takesBookmarks, end: undefined, wake: () => undefined };
    this.#watchers.add(watcher);
    const abort = () => watcher.wake();
    signal?.addEventListener('abort', abort);
    try {
      await delivered();
      for (;;) {
        signal?.throwIfAborted();
        const event = watcher.pending.shift();
        if (event !== undefined) yield event;
        else if (watcher.end?.error !== undefined) throw watcher.end.error;
        else if (watcher.end !== undefined) return;
        else
          await new Promise<void>((resolve) => {
            watcher.wake = resolve;
          });
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#watchers.delete(watcher);
    }
  }
}
