import type { Clock } from '@binnacle/apimachinery/clock';

/** Resolves after that many milliseconds, or when the signal aborts. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer[Symbol.dispose]();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimer(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}
