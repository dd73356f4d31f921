import { abortable, type Clock, sleep } from '@binnacle/apimachinery/clock';
import { type Batch, Pending } from '../model/index.js';

/** How long changes are gathered into one line. A person sees no difference, and the page renders once. */
const GATHER_MS = 40;

/** One page that follows the feed. */
export class Subscription implements Disposable {
  readonly pending = new Pending();
  readonly #end: () => void;
  #wakeUp: () => void = () => undefined;
  #isAwake = false;

  constructor(end: () => void) {
    this.#end = end;
  }

  /** Something is pending. */
  wake(): void {
    this.#isAwake = true;
    this.#wakeUp();
  }

  /** What is pending, batch by batch, as fast as the caller takes it. Rejects when the signal fires. */
  async *batches(clock: Clock, signal: AbortSignal): AsyncGenerator<Batch, never, undefined> {
    for (;;) {
      await this.#awake(signal);
      for (let batch = this.pending.take(); batch !== undefined; batch = this.pending.take()) yield batch;
      await sleep(clock, GATHER_MS, signal);
    }
  }

  async #awake(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isAwake) {
      const woken = new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
      await abortable(woken, signal);
    }
    this.#isAwake = false;
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
