import { asError } from '../errors/index.js';
import { onAbort } from './on-abort.js';

/** The signal's reason as an error. */
export function reasonOf(signal: AbortSignal): Error {
  return asError(signal.reason);
}

/** Settles with the promise, or rejects with the signal's reason if it fires first. It does not stop the work behind the promise. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(reasonOf(signal));
  }
  return new Promise((resolve, reject) => {
    const waiting = onAbort(signal, () => reject(reasonOf(signal)));
    promise.then(resolve, reject).finally(() => waiting[Symbol.dispose]());
  });
}

/** Resolves when the signal fires, or has fired. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
}
