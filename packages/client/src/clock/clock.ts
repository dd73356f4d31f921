/** The source of time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once, after at least that many milliseconds, unless disposed before. */
  setTimeout(run: () => void, milliseconds: number): Disposable;
}

/** For longer timeouts Node would call at once. */
const MAX_TIMEOUT_MILLISECONDS = 2 ** 31 - 1;

/** The system's time. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout: (run, milliseconds) => {
    const timer = setTimeout(run, Math.min(milliseconds, MAX_TIMEOUT_MILLISECONDS));
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Resolves after the time. Rejects with the signal's reason if it fires first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const abort = () => {
      timer[Symbol.dispose]();
      reject(signal === undefined ? new Error('aborted') : reasonOf(signal));
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The signal's reason as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}

/** Settles with the promise, or rejects with the signal's reason if it fires first. It does not stop the work behind the promise. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    signal.addEventListener('abort', abort, { once: true });
    const done = () => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).finally(done);
  });
}

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
