/**
 * Runs `work` on all items in their order, a limited number at a time. After a failure it starts no further item; once all have
 * settled, it throws the failure.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run));
  if (failures.length > 0) throw failures[0];
}
