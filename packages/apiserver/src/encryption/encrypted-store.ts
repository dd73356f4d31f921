import { asError } from '@binnacle/apimachinery/errors';
import { compareUtf8 } from '@binnacle/apimachinery/json';
import { isEncrypted } from '@binnacle/apimachinery/serializer';
import { internalError } from '@binnacle/apimachinery/status';
import {
  type DamagedKey,
  type EventBatch,
  hasHistory,
  type HistoryEvent,
  type HistoryPage,
  type HistoryRequest,
  type KeyEvent,
  type KeyValue,
  type KV,
  KVError,
  type KVStatus,
  type PutOperation,
  type RangeRequest,
  type RangeResult,
  type TxnRequest,
  type TxnResult,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from '@binnacle/kv';
import { isTurnOver, nextTurn } from '../slices/index.js';
import { type ReadValue, TransformError } from '../transformers/index.js';
import { DecryptingWatch } from './decrypting-watch.js';
import type { ResourceTransformer } from './resource-transformers.js';

/** Reading the clock costs as much as a cheap value. */
const ITEMS_BETWEEN_LOOKS = 4;

export interface EncryptedStoreOptions {
  readonly kv: KV;
  /** `secrets` or `deployments.apps`, for metrics. */
  readonly resource: string;
  /** How values are stored now. It may change between calls. */
  readonly transformer: () => ResourceTransformer;
}

/**
 * A store of one resource, whose values are encrypted in the store below. Keys, revisions, tags and lifetimes stay as they
 * are.
 *
 * A value that cannot be decrypted is damaged for this store, and unreadable in events. When its key service cannot be
 * reached, the read fails with a StatusError instead. Own writes come back from a watch without being decrypted.
 */
export class EncryptedStore implements KV {
  readonly #options: EncryptedStoreOptions;
  readonly requestProgress?: () => boolean;
  readonly readNote?: (name: string) => Uint8Array | undefined;
  readonly writeNote?: (name: string, note: Uint8Array) => Promise<void>;
  readonly openReader?: (revision: number) => ValueReader | undefined;
  readonly history?: (request: HistoryRequest, signal?: AbortSignal) => Promise<HistoryPage>;
  readonly revisionAt?: (time: number, signal?: AbortSignal) => Promise<number>;
  /** What own writes have encrypted, by the stored value. */
  readonly #written = new WeakMap<Uint8Array, Uint8Array>();

  constructor(options: EncryptedStoreOptions) {
    this.#options = options;
    const { kv, transformer } = options;
    if (kv.requestProgress !== undefined) this.requestProgress = () => kv.requestProgress?.() ?? false;
    if (kv.readNote !== undefined) this.readNote = (name) => kv.readNote?.(name);
    if (kv.writeNote !== undefined) this.writeNote = async (name, note) => kv.writeNote?.(name, note);
    if (hasHistory(kv)) {
      this.history = async (request, signal) => this.#readHistory(await kv.history(request, signal));
      this.revisionAt = (time, signal) => kv.revisionAt(time, signal);
    }
    if (kv.openReader === undefined) return;
    this.openReader = (revision) => {
      const reader = transformer().isPlain ? kv.openReader?.(revision) : undefined;
      return reader && plainReader(reader);
    };
  }

  async range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> {
    const result = await this.#options.kv.range(request, signal);
    if (request.keysOnly === true || request.countOnly === true) return result;
    const items: KeyValue[] = [];
    const damaged: DamagedKey[] = [];
    for (const [index, item] of result.items.entries()) {
      if (index % ITEMS_BETWEEN_LOOKS === 0 && isTurnOver()) await nextTurn();
      try {
        const read = this.#read(item);
        // A promise for each value would cost a turn of the microtask queue.
        items.push(read instanceof Promise ? await read : read);
      } catch (error) {
        const failure = readError(error, item, request.exact === true);
        if (!(failure instanceof KVError) || request.damaged !== 'report') throw failure;
        damaged.push(...failure.damaged);
      }
    }
    if (damaged.length === 0) return { ...result, items };
    const all = [...(result.damaged ?? []), ...damaged];
    return { ...result, items, damaged: all.sort((a, b) => compareUtf8(a.key, b.key)) };
  }

  async txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    const { key, operation } = request;
    const written = operation.type === 'put' ? this.#encrypted(key, operation) : operation;
    const result = await this.#options.kv.txn({ ...request, operation: written }, signal);
    if (result.succeeded) return { succeeded: true, revision: result.revision };
    const { current } = result;
    if (current === undefined) return result;
    try {
      return { ...result, current: await this.#read(current) };
    } catch (error) {
      throw readError(error, current, true);
    }
  }

  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    const watch = new DecryptingWatch((batch) => this.#readBatch(batch, request), sink, signal);
    this.#options.kv.watch(request, watch, watch.signal);
  }

  /** Fails if a value cannot be decrypted, also one before an event: without it the event would look like a create. */
  async #readHistory(page: HistoryPage): Promise<HistoryPage> {
    const events: HistoryEvent[] = [];
    for (const event of page.events) {
      if (isTurnOver()) await nextTurn();
      const { value: _, tag: __, previous: ___, ...facts } = event;
      events.push({ ...facts, ...(await this.#readEvent(event, event.revision, true, refused)) });
    }
    return { ...page, events };
  }

  #readBatch({ revision, events }: EventBatch, request: WatchRequest): EventBatch | Promise<EventBatch> {
    const withPrevious = request.withoutPrevious !== true;
    const read = events.map((event) => this.#readEvent(event, revision, withPrevious, marked));
    const settled = read.filter((event): event is KeyEvent => !(event instanceof Promise));
    if (settled.length === read.length) return { revision, events: settled };
    return readLater(revision, read);
  }

  /** `undecrypted`: what becomes of an event whose value cannot be decrypted. */
  #readEvent(
    event: KeyEvent,
    revision: number,
    withPrevious: boolean,
    undecrypted: Undecrypted,
  ): KeyEvent | Promise<KeyEvent> {
    const { previous, value, tag, ...rest } = event;
    const item = value && { ...rest, value, modRevision: revision, ...(tag !== undefined && { tag }) };
    const current = item && this.#readPart(item, undecrypted);
    const before = withPrevious ? previous && this.#readPart(previous, refused) : undefined;
    if (!(current instanceof Promise) && !(before instanceof Promise)) return eventOf(rest, current, before);
    return eventLater(rest, current, before);
  }

  /** A value of an event. Rejects, and does not throw, so that no other promise of the batch stays unhandled. */
  #readPart(item: KeyValue, undecrypted: Undecrypted): ReadPart | Promise<ReadPart> {
    const written = this.#written.get(item.value);
    if (written !== undefined) return withValue(item, { value: written, isStale: false });
    try {
      const read = this.#read(item);
      return read instanceof Promise ? readPartOf(read, item, undecrypted) : read;
    } catch (error) {
      return readPartOf(Promise.reject(asError(error)), item, undecrypted);
    }
  }

  #encrypted(key: string, { tag, ...operation }: PutOperation): PutOperation {
    const { value } = operation;
    try {
      const encrypted = this.#options.transformer().write(value, { key, resource: this.#options.resource });
      if (encrypted === value) return tag === undefined ? operation : { ...operation, tag };
      this.#written.set(encrypted, value);
      return { ...operation, value: encrypted, ...markedTag(tag) };
    } catch (error) {
      throw error instanceof TransformError ? internalError(error) : error;
    }
  }

  #read(item: KeyValue): KeyValue | Promise<KeyValue> {
    const { key, value } = item;
    const result = this.#options.transformer().read(value, { key, resource: this.#options.resource });
    return result instanceof Promise ? result.then((read) => withValue(item, read)) : withValue(item, result);
  }

  compact(revision: number, signal?: AbortSignal): Promise<void> {
    return this.#options.kv.compact(revision, signal);
  }

  currentRevision(signal?: AbortSignal): Promise<number> {
    return this.#options.kv.currentRevision(signal);
  }

  status(signal?: AbortSignal): Promise<KVStatus> {
    return this.#options.kv.status(signal);
  }

  checkHealth(signal?: AbortSignal): Promise<void> {
    return this.#options.kv.checkHealth(signal);
  }

  /** The owner of the store closes it. */
  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

function withValue({ tag, ...item }: KeyValue, { value, isStale, isForgeable = false }: ReadValue): KeyValue {
  const isPlain = value === item.value;
  const own = isPlain && tag !== undefined ? { tag } : isPlain || isForgeable ? {} : markedTag(tag);
  if (isStale) return { ...item, ...own, value, storedAs: 'outdated' };
  return isPlain ? { ...item, ...own } : { ...item, ...own, value, storedAs: 'other' };
}

const TAG_MARK = 0x5ec2e7;

/**
 * Turns the tag of a value into that of its encrypted form, and back. A server without the configuration must not trust an
 * encrypted value because of its tag. A value that its provider did not authenticate has no tag.
 */
function markedTag(tag: number | undefined): { readonly tag?: number } {
  const marked = ((tag ?? TAG_MARK) ^ TAG_MARK) >>> 0;
  return marked === 0 ? {} : { tag: marked };
}

/** A value of an event, or why it has none. */
type ReadPart = KeyValue & Pick<KeyEvent, 'unreadable'>;

type Undecrypted = (item: KeyValue, error: KVError) => ReadPart;

/** A watch passes on such an event as unreadable. */
const marked: Undecrypted = (item, { message }) => ({
  ...item,
  unreadable: { problem: 'untransformable', reason: message },
});

const refused: Undecrypted = (_, error) => {
  throw internalError(error);
};

function eventOf(event: KeyEvent, current: ReadPart | undefined, previous: KeyValue | undefined): KeyEvent {
  if (current === undefined) return previous === undefined ? event : { ...event, previous };
  const { value, tag, storedAs, unreadable } = current;
  if (unreadable !== undefined) return { ...event, unreadable };
  return {
    ...event,
    value,
    ...(tag !== undefined && { tag }),
    ...(storedAs !== undefined && { storedAs }),
    ...(previous !== undefined && { previous }),
  };
}

/** The error of a read of one object (`alone`), or of a list, in upstream's words. */
function readError(error: unknown, { key, modRevision }: KeyValue, alone: boolean): unknown {
  if (!(error instanceof TransformError)) return error;
  const message = alone ? error.message : `unable to transform key ${JSON.stringify(key)}: ${error.message}`;
  if (error.isTransient) return internalError(new Error(message, { cause: error }));
  const unreadable = { problem: 'untransformable', reason: error.message } as const;
  return new KVError('corrupt', message, { cause: error, damaged: [{ key, revision: modRevision, unreadable }] });
}

async function readPartOf(read: Promise<KeyValue>, item: KeyValue, undecrypted: Undecrypted): Promise<ReadPart> {
  try {
    return await read;
  } catch (error) {
    const failure = readError(error, item, true);
    if (failure instanceof KVError) return undecrypted(item, failure);
    throw failure;
  }
}

async function readLater(revision: number, events: readonly (KeyEvent | Promise<KeyEvent>)[]): Promise<EventBatch> {
  return { revision, events: await Promise.all(events.map(async (event) => event)) };
}

async function eventLater(
  event: KeyEvent,
  current: ReadPart | undefined | Promise<ReadPart>,
  previous: KeyValue | undefined | Promise<KeyValue>,
): Promise<KeyEvent> {
  return eventOf(event, ...(await Promise.all([current, previous])));
}

/** Reads values in place, and refuses encrypted ones of an earlier configuration. */
function plainReader(reader: ValueReader): ValueReader {
  return {
    advance: (revision) => reader.advance(revision),
    read: (revision) => reader.read(revision),
    load: (revision) => {
      const loaded = reader.load(revision);
      if (isEncrypted(loaded.value)) throw new KVError('corrupt', 'identity transformer tried to read encrypted data');
      return loaded;
    },
    close: () => reader.close(),
  };
}
