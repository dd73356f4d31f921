import { reasonOf } from './abort.js';
import type { Clock } from './clock.js';
import { onAbort } from './on-abort.js';

/** Resolves after the time. Rejects with the signal's reason if it fires first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const waiting =
      signal &&
      onAbort(signal, () => {
        timer[Symbol.dispose]();
        reject(reasonOf(signal));
      });
    const timer = clock.setTimer(() => {
      waiting?.[Symbol.dispose]();
      resolve();
    }, milliseconds);
  });
}
