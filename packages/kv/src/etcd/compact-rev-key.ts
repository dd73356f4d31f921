import type { KV } from '../interface/index.js';

/** The key by which API servers agree on which of them compacts. Upstream: etcd3/compact.go. */
export const COMPACT_REV_KEY = 'compact_rev_key';

/** The state of one server in the agreement. Start with {@link FIRST_COMPACTION}, then pass the previous result. */
export interface CompactionTurn {
  /** The key's revision when this server last saw it. */
  readonly keyRevision: number;
  /** The store's revision at the last turn, which is compacted if no other server took a turn since. */
  readonly storeRevision: number;
}

export interface CompactionOutcome {
  readonly turn: CompactionTurn;
  /** The newest revision known to be compacted by any server; 0 = none. */
  readonly compactedRevision: number;
  /** Set if it was this server's turn and compaction failed. The turn still counts. */
  readonly failure?: unknown;
}

export const FIRST_COMPACTION: CompactionTurn = { keyRevision: 0, storeRevision: 0 };

/**
 * Call it once per interval on every server. All servers try to write the key at the revision they last saw. The
 * one that succeeds compacts the revision of its last turn. So history is kept for one to two intervals, and only one
 * server compacts in an interval. When that server stops, another takes over. kube-apiservers on the same store can take
 * part. Rejects as `txn` does if the outcome is unknown: then pass the same turn again.
 */
export async function takeCompactionTurn(
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
