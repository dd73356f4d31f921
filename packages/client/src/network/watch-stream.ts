import { type Clock, reasonOf } from '@binnacle/apimachinery/clock';

const LINE_FEED = 0x0a;

/**
 * The events of one watch on their way to an informer. They arrive in order, each at its time, and only when `flush` is
 * called, so that the owner decides the order.
 */
export class WatchStream {
  readonly #clock: Clock;
  readonly #travelling: { readonly line: Uint8Array; readonly at: number }[] = [];
  readonly #arrived: Uint8Array[] = [];
  #rest: Uint8Array = new Uint8Array();
  #end: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds what the server has sent. The complete lines in it arrive after `delay` milliseconds. Returns their number. */
  add(chunk: Uint8Array, delay: number): number {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const at = this.#clock.monotonic() + delay;
    let start = 0;
    let lines = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#travelling.push({ line: bytes.subarray(start, end + 1), at });
      start = end + 1;
      lines++;
    }
    this.#rest = bytes.subarray(start);
    return lines;
  }

  /** Lets the events arrive whose time has come. `breaks` is asked before each; after a break nothing more arrives. */
  flush(breaks: () => Error | undefined): void {
    if (this.#travelling.length === 0) return;
    for (let next = this.#travelling[0]; next !== undefined && this.#end === undefined; next = this.#travelling[0]) {
      if (next.at > this.#clock.monotonic()) break;
      const error = breaks();
      if (error !== undefined) this.end(error);
      else this.#arrived.push(next.line);
      this.#travelling.shift();
    }
    this.#wake();
  }

  /** Ends the stream after what has arrived. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Whether no event is on its way. */
  get isEmpty(): boolean {
    return this.#travelling.length === 0;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  async *read(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void, undefined> {
    const abort = () => this.end(signal === undefined ? undefined : reasonOf(signal));
    signal?.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        if (signal?.aborted === true) throw reasonOf(signal);
        const line = this.#arrived.shift();
        if (line !== undefined) yield line;
        else if (this.#end?.error !== undefined) throw this.#end.error;
        else if (this.#end !== undefined) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      this.end();
    }
  }
}
