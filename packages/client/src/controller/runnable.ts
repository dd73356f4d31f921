import type { Clock } from '@binnacle/apimachinery/clock';

/** Work that runs until it is stopped. */
export interface Runnable {
  /** Names it in errors and reports. */
  readonly name: string;
  /**
   * Resolves when the signal has fired and all work has ended, or earlier if no work is left. A rejection stops everything that runs beside
   * it.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** A runnable did not stop within the grace period and may still be running. */
export class NotStoppedError extends Error {
  override readonly name = 'NotStoppedError';
}

export interface GracePeriod {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/**
 * Runs all of them until the signal fires or one fails, which stops the others. When all have ended it resolves, or rejects with the first
 * failure. If a grace period is given and passes first, it rejects with a {@link NotStoppedError}.
 */
export async function runTogether(
  runnables: readonly Runnable[],
  signal: AbortSignal,
  grace?: GracePeriod,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const failures: unknown[] = [];
  const running = new Set<string>();
  const ended = Promise.all(
    runnables.map(async (runnable) => {
      running.add(runnable.name);
      try {
        await runnable.run(stop);
      } catch (error) {
        failures.push(error);
        failed.abort(new Error(`${runnable.name} has failed`, { cause: error }));
      }
      running.delete(runnable.name);
    }),
  );
  if (grace === undefined) await ended;
  else await withinGracePeriod(ended, running, grace, stop);
  if (failures.length > 0) throw failures[0];
}

async function withinGracePeriod(
  ended: Promise<unknown>,
  running: ReadonlySet<string>,
  { clock, milliseconds }: GracePeriod,
  stop: AbortSignal,
): Promise<void> {
  let timer: Disposable | undefined;
  const late = new Promise<void>((_, reject) => {
    const giveUp = () =>
      reject(new NotStoppedError(`did not stop within ${milliseconds} ms: ${[...running].join(', ')}`));
    const wait = () => {
      timer = clock.setTimer(giveUp, milliseconds);
    };
    if (stop.aborted) wait();
    else stop.addEventListener('abort', wait, { once: true });
  });
  try {
    await Promise.race([ended, late]);
  } finally {
    timer?.[Symbol.dispose]();
  }
}
