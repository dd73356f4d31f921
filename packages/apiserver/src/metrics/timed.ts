import type { Clock } from '@binnacle/apimachinery/clock';

/** The result of a call; undefined when it failed. */
export type Outcome<T> = { readonly value: T } | undefined;

/** Calls a function and reports its duration in seconds and its outcome. A synchronous function remains synchronous. */
export function timed<T>(
  clock: Clock,
  call: () => T | Promise<T>,
  done: (seconds: number, outcome: Outcome<T>) => void,
): T | Promise<T> {
  const start = clock.monotonic();
  const seconds = (): number => (clock.monotonic() - start) / 1000;
  let answer: T | Promise<T>;
  try {
    answer = call();
  } catch (error) {
    done(seconds(), undefined);
    throw error;
  }
  if (answer instanceof Promise) return later(answer, seconds, done);
  done(seconds(), { value: answer });
  return answer;
}

async function later<T>(
  answer: Promise<T>,
  seconds: () => number,
  done: (seconds: number, outcome: Outcome<T>) => void,
): Promise<T> {
  let outcome: Outcome<T>;
  try {
    const value = await answer;
    outcome = { value };
    return value;
  } finally {
    done(seconds(), outcome);
  }
}
