import { compareKeys } from '../engine/index.js';
import { type KeyValue, KVError, type RangeRequest, type RangeResult } from '../interface/index.js';
import { type KeyRange, keyAfter, prefixRange, rangeFrom } from './messages/key-ranges.js';
import type { RangeAnswer, RangeCall } from './messages/kv-messages.js';

/** The target size of a message. The size of values is estimated from the previous ones. */
const PAGE_BYTES = 4 * 1024 * 1024;
const FIRST_PAGE_ITEMS = 200;
const LARGEST_PAGE_ITEMS = 4000;
/** How often a read of the newest state restarts when its revision is compacted. */
const ATTEMPTS = 5;

export interface RangeContext {
  readonly call: (call: RangeCall) => Promise<RangeAnswer>;
  /** A key that the user may read. */
  readonly probeKey: Buffer;
}

/** Reads page by page, all at the revision of the first page. */
export async function readRange(context: RangeContext, request: RangeRequest): Promise<RangeResult> {
  if (request.exact === true) return readKey(context, request);
  const whole = prefixRange(request.prefix);
  const range = request.from === undefined ? whole : rangeFrom(whole, Buffer.from(request.from));
  if (range === undefined) return readEmptyRange(context, request);
  if (request.countOnly === true) {
    const { revision, count } = await context.call({ ...range, ...at(request), countOnly: true });
    return { revision, items: [], count, more: false };
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readPages(context, request, range);
    } catch (error) {
      const compacted = error instanceof KVError && error.code === 'compacted';
      if (!compacted || request.revision !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

async function readPages({ call }: RangeContext, request: RangeRequest, range: KeyRange): Promise<RangeResult> {
  const wanted = request.limit === undefined || request.limit === 0 ? Number.POSITIVE_INFINITY : request.limit;
  const keysOnly = request.keysOnly === true;
  const first = await call({ ...range, ...at(request), limit: Math.min(wanted, FIRST_PAGE_ITEMS), keysOnly });
  const { revision, count } = first;
  const total = Math.min(count, wanted);
  const items: KeyValue[] = [...first.items];
  let bytes = bytesOf(first.items);
  for (let last = items.at(-1); items.length < total && last !== undefined; last = items.at(-1)) {
    const size = Math.floor(PAGE_BYTES / Math.max(bytes / items.length, 1));
    const page = await call({
      key: keyAfter(last.key),
      rangeEnd: range.rangeEnd,
      revision: request.revision ?? revision,
      limit: Math.min(total - items.length, Math.max(size, 1), LARGEST_PAGE_ITEMS),
      keysOnly,
    });
    if (page.items.length === 0) throw new KVError('corrupt', `etcd counts ${count} keys and has ${items.length}`);
    for (const item of page.items) items.push(item);
    bytes += bytesOf(page.items);
  }
  return { revision, items, count, more: count > items.length };
}

async function readKey(context: RangeContext, request: RangeRequest): Promise<RangeResult> {
  const { prefix: key, from, countOnly = false, keysOnly = false } = request;
  if (key === '' || (from !== undefined && compareKeys(from, key) > 0)) return readEmptyRange(context, request);
  const answer = await context.call({ key: Buffer.from(key), ...at(request), countOnly, keysOnly });
  return { ...answer, more: false };
}

/** Reads an empty range, of which only the revision matters, and whether it can be read. */
async function readEmptyRange({ call, probeKey }: RangeContext, request: RangeRequest): Promise<RangeResult> {
  const { revision } = await call({ key: probeKey, ...at(request), countOnly: true });
  return { revision, items: [], count: 0, more: false };
}

function at({ revision }: RangeRequest): { readonly revision?: number } {
  return revision === undefined ? {} : { revision };
}

function bytesOf(items: readonly KeyValue[]): number {
  let bytes = 0;
  for (const { key, value } of items) bytes += key.length + value.length;
  return bytes;
}
