import type { Clock } from './clock.js';

/** What a time limit ends with. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * A signal that fires when another does, or when time is up. Dispose it when the work is done: until then it hangs on the other
 * signal and on a timer.
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
    this.#timer = clock.setTimeout(() => {
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
