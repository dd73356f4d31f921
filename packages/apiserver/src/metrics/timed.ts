/** The result of a call; undefined when it failed. */
export type Outcome<T> = { readonly value: T } | undefined;

/** Calls a function and reports its duration in seconds and its outcome. A synchronous function remains synchronous. */
export function timed<T>(
  call: () => T | Promise<T>,
  done: (seconds: number, outcome: Outcome<T>) => void,
): T | Promise<T> {
  const start = performance.now();
  let answer: T | Promise<T>;
  try {
    answer = call();
  } catch (error) {
    done(secondsSince(start), undefined);
    throw error;
  }
  if (answer instanceof Promise) return later(answer, start, done);
  done(secondsSince(start), { value: answer });
  return answer;
}

async function later<T>(
  answer: Promise<T>,
  start: number,
  done: (seconds: number, outcome: Outcome<T>) => void,
): Promise<T> {
  let outcome: Outcome<T>;
  try {
    const value = await answer;
    outcome = { value };
    return value;
  } finally {
    done(secondsSince(start), outcome);
  }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
