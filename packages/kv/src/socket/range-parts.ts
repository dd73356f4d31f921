import {
  type KeyValue,
  type KV,
  KVError,
  type RangeRequest,
  type RangeResult,
  type ValueReader,
} from '../interface/index.js';

/** A range that is read part by part. */
export interface RangeParts {
  /** The result, without its items. */
  readonly result: RangeResult;
  /** The next items, of about this many bytes; none at the end. Rejects with `corrupt`. */
  next(bytes: number): Promise<readonly KeyValue[]>;
  /** Lets the store drop what the range still reads. */
  release(): void;
}

/** Reads keys at once, and values only when they are asked for, if the store can. */
export async function readInParts(kv: KV, request: RangeRequest, signal: AbortSignal): Promise<RangeParts> {
  const hasValues = request.keysOnly !== true && request.countOnly !== true;
  if (!hasValues || request.damaged === 'report') return partsOf(await kv.range(request, signal));
  const revision = request.revision ?? (await kv.currentRevision());
  const reader = kv.openReader?.(revision);
  if (reader === undefined) return partsOf(await kv.range(request, signal));
  try {
    const found = await kv.range({ ...request, revision, keysOnly: true }, signal);
    const result = request.revision === undefined ? { ...found, revision } : found;
    return partsOf(result, (item) => load(item, reader), {
      // The ordinary read says which values are damaged.
      damaged: () => kv.range(request, signal),
      release: () => reader.close(),
    });
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** The next read of the store may overwrite what the reader returns. */
function load(item: KeyValue, reader: ValueReader): KeyValue {
  const { value, tag } = reader.load(item.modRevision);
  return { ...item, value: Buffer.from(value), ...(tag === undefined ? {} : { tag }) };
}

function partsOf(
  { items, ...result }: RangeResult,
  read: (item: KeyValue) => KeyValue = (item) => item,
  { damaged, release }: { damaged: () => Promise<unknown>; release: () => void } = {
    damaged: () => Promise.resolve(),
    release: () => undefined,
  },
): RangeParts {
  let index = 0;
  return {
    result: { ...result, items: [] },
    async next(bytes) {
      const part: KeyValue[] = [];
      try {
        for (let size = 0; size < bytes && index < items.length; index += 1) {
          const item = items[index];
          if (item === undefined) break;
          const loaded = read(item);
          part.push(loaded);
          size += loaded.key.length + loaded.value.length;
        }
      } catch (error) {
        if (error instanceof KVError && error.code === 'corrupt') await damaged();
        throw error;
      }
      return part;
    },
    release,
  };
}
