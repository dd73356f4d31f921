import type { Clock } from './clock.js';
import { onAbort } from './on-abort.js';

/** A time limit has passed. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * A signal that fires with another signal or after a time limit. Dispose it when the work is done, to release its listener and its timer.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #following: Disposable | undefined;
  readonly #timer: Disposable | undefined;

  constructor(clock: Clock, milliseconds: number | undefined, outer: AbortSignal | undefined, what: string) {
    if (outer?.aborted === true) {
      this.#controller.abort(outer.reason);
      return;
    }
    if (outer !== undefined) this.#following = onAbort(outer, () => this.#controller.abort(outer.reason));
    if (milliseconds === undefined) return;
    this.#timer = clock.setTimer(() => {
      this.#controller.abort(new TimeoutError(`${what}: no answer within ${milliseconds} ms`));
    }, milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#following?.[Symbol.dispose]();
  }
}
