/** Calls, and tells how many seconds that took and whether it failed. What is answered at once stays so. */
export function timed<T>(
  call: () => T | Promise<T>,
  done: (seconds: number, outcome: { readonly value: T } | undefined) => void,
): T | Promise<T> {
  const start = performance.now();
  const failed = (error: unknown): never => {
    done((performance.now() - start) / 1000, undefined);
    throw error;
  };
  const succeeded = (value: T): T => {
    done((performance.now() - start) / 1000, { value });
    return value;
  };
  let answer: T | Promise<T>;
  try {
    answer = call();
  } catch (error) {
    return failed(error);
  }
  return answer instanceof Promise ? answer.then(succeeded, failed) : succeeded(answer);
}
