import type { KV } from '../interface/index.js';

/** Where API servers agree who compacts. Upstream: etcd3/compact.go. */
export const COMPACT_REV_KEY = 'compact_rev_key';

/** Where one server stands in the agreement. Begin with {@link FIRST_COMPACTION}, hand in what came out the last time. */
export interface CompactionTurn {
  /** Of the key, when this server last saw it. */
  readonly keyRevision: number;
  /** The store's, at the last turn: what is compacted if nobody else had a turn since. */
  readonly storeRevision: number;
}

export interface CompactionOutcome {
  readonly turn: CompactionTurn;
  /** The newest revision that is known to be compacted, by whomever; 0 = none. */
  readonly compactedRevision: number;
  /** Set when it was this server's turn and the store did not compact. The turn counts nevertheless. */
  readonly failure?: unknown;
}

export const FIRST_COMPACTION: CompactionTurn = { keyRevision: 0, storeRevision: 0 };

/**
 * To be called by each server once an interval. All try to write the key as they last saw it; the one that succeeds
 * compacts what was the newest revision at its last turn, so that history is kept for one to two intervals, and no two
 * servers compact for the same interval. Whoever fails takes over when the other one has gone. Upstream's servers take part.
 * Rejects as `txn` does, when it is not known whose turn it was: use the old turn again.
 */
export async function compactRevKey(
  kv: Pick<KV, 'txn' | 'compact'>,
  turn: CompactionTurn,
  signal?: AbortSignal,
): Promise<CompactionOutcome> {
  const value = new TextEncoder().encode(String(turn.storeRevision));
  const result = await kv.txn(
    { key: COMPACT_REV_KEY, expectedRevision: turn.keyRevision, operation: { type: 'put', value } },
    signal,
  );
  if (!result.succeeded) {
    const { revision, current } = result;
    const next = { keyRevision: current?.modRevision ?? 0, storeRevision: revision };
    return { turn: next, compactedRevision: current === undefined ? 0 : revisionOf(current.value) };
  }
  const next = { keyRevision: result.revision, storeRevision: result.revision };
  if (turn.storeRevision === 0) return { turn: next, compactedRevision: 0 };
  try {
    await kv.compact(turn.storeRevision, signal);
    return { turn: next, compactedRevision: turn.storeRevision };
  } catch (failure) {
    return { turn: next, compactedRevision: 0, failure };
  }
}

function revisionOf(value: Uint8Array): number {
  const revision = Number(new TextDecoder().decode(value));
  return Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}
