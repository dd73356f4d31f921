import type { Clock } from './clock.js';

/** A time limit has passed. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * A signal that fires with another signal or after a time limit. Dispose it when the work is done, to release its listener and its timer.
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: Disposable | undefined;
  readonly #follow = () => this.#controller.abort(this.#outer?.reason);

  constructor(clock: Clock, milliseconds: number | undefined, outer: AbortSignal | undefined, what: string) {
    this.#outer = outer;
    if (outer?.aborted === true) {
      this.#follow();
      return;
    }
    outer?.addEventListener('abort', this.#follow, { once: true });
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
    this.#outer?.removeEventListener('abort', this.#follow);
  }
}
