import { compactRevKey, FIRST_COMPACTION } from '@binnacle/kv/etcd';
import type { KV } from '@binnacle/kv/interface';

/**
 * Compacts a store that several servers share, once an interval, by the agreement of upstream's servers, which take part.
 * A turn that fails is reported, and made up for by the next one. Runs until the function that it answers is called.
 */
export function startSharedCompaction(kv: KV, intervalMs: number, report: (error: unknown) => void): () => void {
  let turn = FIRST_COMPACTION;
  let running = false;
  const take = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      const outcome = await compactRevKey(kv, turn);
      turn = outcome.turn;
      if (outcome.failure !== undefined) report(outcome.failure);
    } catch (error) {
      report(error);
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void take(), intervalMs);
  timer.unref();
  void take();
  return () => clearInterval(timer);
}
