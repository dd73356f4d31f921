import { type HistoryEvent, type HistoryPage, type HistoryRequest, KVError } from '../interface/index.js';
import type { Backend, LogRecord, RecordHeader } from './backend.js';
import { unlessDamaged } from './damage.js';
import { noValue, toEvent, toKeyValue } from './round.js';

/** How many records to read before yielding to other work. */
const RECORDS_PER_SLICE = 25;
/** How many bytes of values to read before yielding. Reading a value may take as many steps as its chain has links. */
const BYTES_PER_SLICE = 512 * 1024;
/** The bounds of a page. */
const RECORDS_PER_PAGE = 50_000;
const BYTES_PER_PAGE = 4 * 1024 * 1024;

export interface HistoryContext {
  readonly backend: Backend;
  /** The newest committed revision at the time of the call. */
  readonly revision: () => number;
  readonly compactedRevision: number;
  /** Yields to other work. Throws if the read is no longer needed. */
  readonly pause: () => Promise<void>;
}

/**
 * Walks the log from the newest revision of the request to the oldest. Between two events of one key it follows the
 * pointers of the records. The caller keeps the history after `compactedRevision` until this settles.
 */
export async function readHistory(context: HistoryContext, request: HistoryRequest): Promise<HistoryPage> {
  const { backend, compactedRevision } = context;
  const { prefix, exact = false, limit } = request;
  const revision = context.revision();
  const after = Math.max(request.after ?? 0, compactedRevision);
  const events: HistoryEvent[] = [];
  let bytes = 0;
  let pausedAt = 0;
  let next = Math.min((request.before ?? revision + 1) - 1, revision);
  if (exact) next = newestOf(backend, prefix, next);
  for (let read = 1; next > after; read += 1) {
    if (events.length >= limit || bytes >= BYTES_PER_PAGE || read > RECORDS_PER_PAGE) {
      return { events, revision, after, next: next + 1 };
    }
    if (read % RECORDS_PER_SLICE === 0 || bytes - pausedAt >= BYTES_PER_SLICE) {
      pausedAt = bytes;
      await context.pause();
    }
    const header = headerAt(backend, next);
    const matches = header !== undefined && (exact ? header.key === prefix : header.key.startsWith(prefix));
    if (matches) {
      const event = eventAt(backend, next);
      events.push(event);
      bytes += (event.value?.length ?? 0) + (event.previous?.value.length ?? 0);
    }
    next = exact && matches && header.previousRevision > 0 ? header.previousRevision : next - 1;
  }
  return { events, revision, after };
}

/** The newest event of a key at or before a revision, where the index tells it; else the revision. */
function newestOf(backend: Backend, key: string, revision: number): number {
  const modRevision = unlessDamaged(() => backend.pointer(key))?.modRevision ?? revision;
  return Math.min(modRevision, revision);
}

/** The newest revision at `time`; undefined if it is before all that the log tells. Times in the log do not go down. */
export function findRevisionAt(
  backend: Backend,
  { newest, compacted, time }: { readonly newest: number; readonly compacted: number; readonly time: number },
): number | undefined {
  const isAfter = (revision: number): boolean => (timeOf(backend, revision) ?? 0) > time;
  let low = compacted;
  let high = newest;
  // The first revision after the time is in (low, high + 1].
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isAfter(middle)) high = middle - 1;
    else low = middle;
  }
  if (low > compacted) return low;
  const oldest = timeOf(backend, compacted);
  const isKnown = compacted <= 1 || (oldest !== undefined && oldest <= time);
  return isKnown ? Math.max(low, 1) : undefined;
}

/** Records of older versions have no time, and count as older than all others. So do records that cannot be read. */
function timeOf(backend: Backend, revision: number): number | undefined {
  return unlessDamaged(() => backend.origin(revision))?.time;
}

function eventAt(backend: Backend, revision: number): HistoryEvent {
  const record = toldRecord(backend, revision);
  const { previousRevision } = record;
  const before = previousRevision === 0 ? undefined : toldRecord(backend, previousRevision);
  const previous =
    before === undefined || before.isForgotten === true ? undefined : toKeyValue(before, previousRevision);
  const { value, tag, ...event } = toEvent(record, previous);
  const isForgotten = record.isForgotten === true;
  const { time, author } = backend.origin(revision) ?? {};
  return {
    ...event,
    revision,
    ...(value === undefined || isForgotten ? {} : { value }),
    ...(tag === undefined || isForgotten ? {} : { tag }),
    ...(time === undefined ? {} : { time }),
    ...(author === undefined ? {} : { author }),
    ...(isForgotten ? { isForgotten } : {}),
    ...(before?.isForgotten === true ? { isPreviousForgotten: true } : {}),
  };
}

/** A record, also one whose value is forgotten. */
function toldRecord(backend: Backend, revision: number): LogRecord {
  const header = backend.header(revision);
  const record = header?.isForgotten === true ? { ...header, value: noValue } : backend.record(revision);
  if (record === undefined) throw missing(revision);
  return record;
}

/** The initial revision of a store has no record. */
function headerAt(backend: Backend, revision: number): RecordHeader | undefined {
  const header = backend.header(revision);
  if (header === undefined && revision > 1) throw missing(revision);
  return header;
}

function missing(revision: number): KVError {
  return new KVError('corrupt', `the record of revision ${revision} is missing from the store`);
}
