import { type DamagedKey, KVError, type KeyValue, type RangeRequest, type RangeResult } from '../interface/index.js';
import type { Backend, IndexEntry, Pointer } from './backend.js';
import { damagedKeys, soundRecord } from './damage.js';
import { compareKeys } from './keys.js';
import { noValue, toKeyValue } from './round.js';

/** So many records are read before others get their turn. */
const RECORDS_PER_SLICE = 500;
const BYTES_PER_SLICE = 8 * 1024 * 1024;

export interface RangeContext {
  readonly backend: Backend;
  /** The newest committed revision, now. */
  readonly revision: () => number;
  /** Lets others run; throws when the read has become pointless. */
  readonly pause: () => Promise<void>;
}

/** What an event after the wanted revision hides: the key as it was then, and whether the index has it now. */
interface Undo {
  readonly was: Pointer | undefined;
  present: boolean;
}

/** Reads at `revision`, whose history the caller keeps from being removed until this settles. */
export async function readRange(context: RangeContext, request: RangeRequest, revision: number): Promise<RangeResult> {
  const undone = new Map<string, Undo>();
  let seen = revision;
  while (seen < context.backend.visibleRevision()) {
    if (seen > revision) await context.pause();
    seen = undoSlice(context.backend, request, seen, undone);
  }
  // From the last look at the revision to the end of `select` nothing is awaited, not even a settled promise: index and
  // log are seen in one state.
  const { entries, count, more } = select(context.backend, request, undone);
  const answered = request.revision === undefined ? revision : context.revision();
  if (request.keysOnly === true) {
    const sound = entries.filter(({ damaged }) => damaged !== true);
    const items = sound.map(({ key, createRevision, modRevision }) => ({
      key,
      value: noValue,
      createRevision,
      modRevision,
    }));
    const damaged = entries.filter((entry) => entry.damaged === true).map(toDamagedKey);
    return answer({ revision: answered, items, count, more }, damaged, request);
  }
  const items: KeyValue[] = [];
  const damaged: DamagedKey[] = [];
  let bytes = 0;
  let read = 0;
  for (const entry of entries) {
    if ((read > 0 && read % RECORDS_PER_SLICE === 0) || bytes > BYTES_PER_SLICE) {
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

/** Walks the log after `seen` towards what reads show now; answers how far it came. */
function undoSlice(backend: Backend, request: RangeRequest, seen: number, undone: Map<string, Undo>): number {
  const matches = matcher(request);
  const end = Math.min(backend.visibleRevision(), seen + RECORDS_PER_SLICE);
  for (let next = seen + 1; next <= end; next += 1) {
    const header = backend.header(next);
    if (header === undefined) throw missing(next);
    if (!matches(header.key)) continue;
    const known = undone.get(header.key);
    const present = header.type === 'put';
    if (known === undefined) {
      const { createRevision, previousRevision } = header;
      const was = previousRevision === 0 ? undefined : { createRevision, modRevision: previousRevision };
      undone.set(header.key, { was, present });
    } else {
      known.present = present;
    }
  }
  return end;
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
  // An undone key takes at most one entry out of a scan, so that this many are always enough to know whether there are more.
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
      : // Counting does not look at entries as a scan does: a damaged one may end it early.
        Math.max(found.length, countThen(backend, prefix, start, undone));
  return { entries, count, more };
}

/** With the key's own entry damaged, that it is. */
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

function missing(revision: number): KVError {
  return new KVError('corrupt', `the record of revision ${revision} is missing from the store`);
}
