import type { KV } from '@binnacle/kv';

/**
 * Watches keys from now on, until the signal fires. Calls `onChange` after each change of a key with one of these
 * prefixes, and `onEnd` at most once, when the store ends one of the watches.
 */
export async function watchKeys(
  kv: KV,
  prefixes: readonly string[],
  { onChange, onEnd, signal }: { onChange: () => void; onEnd: () => void; signal: AbortSignal },
): Promise<void> {
  const fromRevision = await kv.currentRevision(signal);
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const ended = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    onEnd();
  };
  const sink = { batch: onChange, progress: () => undefined, ended };
  for (const prefix of prefixes) kv.watch({ prefix, fromRevision }, sink, either);
}
