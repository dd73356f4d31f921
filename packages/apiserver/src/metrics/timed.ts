/** What came out of a call: an answer, or, undefined, a failure. */
export type Outcome<T> = { readonly value: T } | undefined;

/** Calls, and tells how many seconds that took and what came out. What is answered at once stays so, and costs least. */
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
