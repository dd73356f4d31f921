import { type DamagedKey, KVError, type KeyValue, type RangeRequest, type RangeResult } from '../interface/index.js';
import type { Backend, IndexEntry } from './backend.js';
import { damagedKeys, soundRecord } from './damage.js';
import { compareKeys } from './keys.js';
import { noValue, toKeyValue } from './round.js';
import { type Undo, UndoneEvents } from './undone-events.js';

/** How many values, which may be condensed, to read before yielding to other work. */
const VALUES_PER_SLICE = 100;
const BYTES_PER_SLICE = 1024 * 1024;

export interface RangeContext {
  readonly backend: Backend;
  /** The newest committed revision at the time of the call. */
  readonly revision: () => number;
  /** Yields to other work. Throws if the read is no longer needed. */
  readonly pause: () => Promise<void>;
}

/** Reads at `revision`. The caller keeps its history from compaction until this settles. */
export async function readRange(context: RangeContext, request: RangeRequest, revision: number): Promise<RangeResult> {
  const undone = new UndoneEvents({ backend: context.backend, request, matches: matcher(request), revision });
  for (let isFirst = true; !undone.isComplete(); isFirst = false) {
    if (!isFirst) await context.pause();
    undone.undoSlice();
  }
  // Nothing is awaited between the last check of the revision and the end of `select`, not even a settled promise. So
  // index and log are read in one state.
  undone.requireCertain();
  const { entries, count, more } = select(context.backend, request, undone.keys);
  const answered = request.revision === undefined ? revision : context.revision();
  if (request.keysOnly === true) {
    const items: KeyValue[] = [];
    const damaged: DamagedKey[] = [];
    for (const entry of entries) {
      const { key, createRevision, modRevision } = entry;
      if (entry.damaged === true) damaged.push(toDamagedKey(entry));
      else items.push({ key, value: noValue, createRevision, modRevision });
    }
    return answer({ revision: answered, items, count, more }, damaged, request);
  }
  const items: KeyValue[] = [];
  const damaged: DamagedKey[] = [];
  let bytes = 0;
  let read = 0;
  for (const entry of entries) {
    if ((read > 0 && read % VALUES_PER_SLICE === 0) || bytes > BYTES_PER_SLICE) {
      bytes = 0;
      await context.pause();
    }
    read += 1;
    const record = soundRecord(context.backend, entry);
    if (record === undefined) {
      damaged.push(toDamagedKey(entry));
      continue;
    }
    bytes += record.value.length;
    items.push(toKeyValue(record, entry.modRevision));
  }
  return answer({ revision: answered, items, count, more }, damaged, request);
}

function toDamagedKey({ key, modRevision }: IndexEntry): DamagedKey {
  return { key, revision: modRevision };
}

function answer(result: RangeResult, damaged: readonly DamagedKey[], request: RangeRequest): RangeResult {
  if (damaged.length === 0) return result;
  if (request.damaged !== 'report') throw damagedKeys(damaged);
  return { ...result, damaged };
}

function matcher({ prefix, exact, from }: RangeRequest): (key: string) => boolean {
  return (key) =>
    (exact === true ? key === prefix : key.startsWith(prefix)) && (from === undefined || compareKeys(key, from) >= 0);
}

function select(
  backend: Backend,
  request: RangeRequest,
  undone: ReadonlyMap<string, Undo>,
): { readonly entries: readonly IndexEntry[]; readonly count: number; readonly more: boolean } {
  const { prefix, exact, from, countOnly, uncounted } = request;
  const limit = request.limit === undefined || request.limit === 0 ? Number.POSITIVE_INFINITY : request.limit;
  if (exact === true) {
    const pointer = undone.has(prefix) ? undone.get(prefix)?.was : pointerOf(backend, prefix);
    const found = pointer !== undefined && matcher(request)(prefix);
    const entries = found && countOnly !== true ? [{ key: prefix, ...pointer }] : [];
    return { entries, count: found ? 1 : 0, more: false };
  }
  const start = from !== undefined && compareKeys(from, prefix) > 0 ? from : prefix;
  if (countOnly === true) return { entries: [], count: countThen(backend, prefix, start, undone), more: false };
  // An undone key hides at most one entry of a scan, so this many entries suffice to detect more.
  const enough = limit + undone.size + 1;
  const scanned = backend.scan(prefix, start, enough);
  const found = undone.size === 0 ? scanned : merge(scanned, undone);
  const entries = found.length > limit ? found.slice(0, limit) : found;
  const more = found.length > limit;
  const complete = scanned.length < enough;
  const count = complete
    ? found.length
    : uncounted === true
      ? entries.length
      : // Counting does not read entries as a scan does: a corrupt one may end it early.
        Math.max(found.length, countThen(backend, prefix, start, undone));
  return { entries, count, more };
}

/** The index entry of a key; reports corruption only of the key's own entry. */
function pointerOf(backend: Backend, key: string): Omit<IndexEntry, 'key'> | undefined {
  try {
    return backend.pointer(key);
  } catch (error) {
    const revision = error instanceof KVError ? error.damaged.find((each) => each.key === key)?.revision : undefined;
    if (revision === undefined) throw error;
    return { createRevision: 0, modRevision: revision, damaged: true };
  }
}

function countThen(backend: Backend, prefix: string, start: string, undone: ReadonlyMap<string, Undo>): number {
  let count = backend.count(prefix, start);
  for (const { was, present } of undone.values()) count += (was === undefined ? 0 : 1) - (present ? 1 : 0);
  return count;
}

function merge(scanned: readonly IndexEntry[], undone: ReadonlyMap<string, Undo>): IndexEntry[] {
  const merged = scanned.filter(({ key }) => !undone.has(key));
  for (const [key, { was }] of undone) if (was !== undefined) merged.push({ key, ...was });
  return merged.sort((a, b) => compareKeys(a.key, b.key));
}
