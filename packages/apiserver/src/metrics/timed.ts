import type { Clock } from '@binnacle/apimachinery/clock';

/** The result of a call; undefined when it failed. */
export type Outcome<T> = { readonly value: T } | undefined;

/** Called after a call with its duration in seconds, its outcome and its argument. */
export type Done<A, T> = (seconds: number, outcome: Outcome<T>, argument: A) => void;

/** A function that reports each of its calls. A synchronous call remains synchronous. */
export function timed<A, T>(
  clock: Clock,
  call: (argument: A) => T | Promise<T>,
  done: Done<A, T>,
): (argument: A) => T | Promise<T> {
  const secondsSince = (start: number): number => (clock.monotonic() - start) / 1000;

  const settled = async (pending: Promise<T>, start: number, argument: A): Promise<T> => {
    let outcome: Outcome<T>;
    try {
      const value = await pending;
      outcome = { value };
      return value;
    } finally {
      done(secondsSince(start), outcome, argument);
    }
  };

  // The closures above serve all calls: each admission plugin of each request is timed.
  return (argument) => {
    const start = clock.monotonic();
    let answer: T | Promise<T>;
    try {
      answer = call(argument);
    } catch (error) {
      done(secondsSince(start), undefined, argument);
      throw error;
    }
    if (answer instanceof Promise) return settled(answer, start, argument);
    done(secondsSince(start), { value: answer }, argument);
    return answer;
  };
}
