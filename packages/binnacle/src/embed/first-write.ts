import type { Clock } from '@binnacle/apimachinery/clock';
import type { KV } from '@binnacle/kv';

/** After this time the loops continue work that the parent has left unfinished, even if no client writes. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Calls `act` once: after the next write to the store, or ten seconds from now. Disposing of the result before that
 * prevents the call.
 */
export function afterFirstWrite(kv: KV, clock: Clock, act: () => void): Disposable {
  const waiting = new AbortController();
  const end = (): void => {
    if (waiting.signal.aborted) return;
    waiting.abort();
    timer[Symbol.dispose]();
    act();
  };
  const timer = clock.setTimer(end, LONGEST_WAIT_MS).unref();
  const sink = { batch: end, progress: () => undefined, ended: () => undefined };
  kv.currentRevision(waiting.signal).then(
    (fromRevision) => kv.watch({ prefix: '/', fromRevision, withoutPrevious: true }, sink, waiting.signal),
    // The store is closed, or the wait is over.
    () => undefined,
  );
  return {
    [Symbol.dispose]: () => {
      waiting.abort();
      timer[Symbol.dispose]();
    },
  };
}
