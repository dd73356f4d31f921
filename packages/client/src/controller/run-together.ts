import type { Clock } from '../clock/index.js';
import type { Runnable } from './runnable.js';

/** Something that was told to stop has not, and may still be doing what it does. */
export class NotStoppedError extends Error {
  override readonly name = 'NotStoppedError';
}

export interface GracePeriod {
  readonly clock: Clock;
  readonly milliseconds: number;
}

/**
 * Runs all of them until the signal fires or one of them fails: that stops the others. Resolves, or rejects with the first failure, when
 * all have ended; or with a {@link NotStoppedError} when the grace period, if there is one, ends first.
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
  else await inTime(ended, running, grace, stop);
  if (failures.length > 0) throw failures[0];
}

async function inTime(
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
      timer = clock.setTimeout(giveUp, milliseconds);
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
