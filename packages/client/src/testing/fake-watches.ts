import type { WatchEvent } from '../rest/index.js';

/** One watch: its pending events and its end. */
interface Watcher {
  readonly pending: WatchEvent[];
  readonly takesBookmarks: boolean;
  /** Undefined while it is open. */
  end: { readonly error: Error | undefined } | undefined;
  wake: () => void;
}

export interface FakeWatch {
  /** The initial events. */
  readonly pending: WatchEvent[];
  readonly takesBookmarks: boolean;
  readonly signal: AbortSignal | undefined;
  /** Events wait for it. */
  readonly delivered: () => Promise<void>;
}

/** The open watches of one resource on a fake server. */
export class FakeWatches {
  readonly #watchers = new Set<Watcher>();

  get size(): number {
    return this.#watchers.size;
  }

  emit(event: WatchEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.end !== undefined || (event.type === 'BOOKMARK' && !watcher.takesBookmarks)) continue;
      watcher.pending.push(event);
      watcher.wake();
    }
  }

  /** Ends them without an error, as a server does after a while. */
  endAll(error?: Error): void {
    for (const watcher of this.#watchers) {
      watcher.end ??= { error };
      watcher.wake();
    }
  }

  /** Open from the first requested event until its end. */
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
