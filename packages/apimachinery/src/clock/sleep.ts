import { reasonOf } from './abort.js';
import type { Clock } from './clock.js';

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
    const timer = clock.setTimer(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
