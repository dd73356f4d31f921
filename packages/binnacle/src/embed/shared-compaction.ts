import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import { FIRST_COMPACTION, takeCompactionTurn } from '@binnacle/kv/etcd';
import type { KV } from '@binnacle/kv';

/**
 * Compacts a store that several servers share, once per interval. It follows upstream's protocol, so kube-apiservers
 * can take part. A failed compaction is reported, and the next one makes up for it. Returns the function that stops it.
 */
export function startSharedCompaction(
  kv: KV,
  intervalMs: number,
  clock: Clock,
  report: (error: unknown) => void,
): () => void {
  let turn = FIRST_COMPACTION;
  let running = false;
  const take = async (): Promise<void> => {
    if (running) return;
    running = true;
    try {
      const outcome = await takeCompactionTurn(kv, turn);
      turn = outcome.turn;
      if (outcome.failure !== undefined) report(outcome.failure);
    } catch (error) {
      report(error);
    } finally {
      running = false;
    }
  };
  const timer = repeat(clock, intervalMs, () => void take());
  void take();
  return () => timer[Symbol.dispose]();
}
