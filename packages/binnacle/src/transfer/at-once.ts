/** Runs the work for all values, at most `limit` at a time. Rejects with the first failure, after which no further work begins. */
export async function atOnce<T>(values: readonly T[], limit: number, work: (value: T) => Promise<void>): Promise<void> {
  const rest = values[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const value of rest) await work(value);
  };
  // An iterator that ends by a failure in one worker gives nothing to the others.
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, worker));
}
