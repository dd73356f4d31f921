import { Buffer } from 'node:buffer';
import { asError } from '@binnacle/apimachinery/errors';
import { compareUtf8, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { asObject, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { DecodeError, isCbor } from '@binnacle/apimachinery/serializer';
import { StatusError, unclassified } from '@binnacle/apimachinery/status';
import {
  type DamagedKey,
  hasHistory,
  type HistoryPage,
  type HistoryRequest,
  type KV,
  KVError,
  type KVStatus,
  type RangeRequest,
  type RangeResult,
  type TxnRequest,
  type TxnResult,
  type WatchRequest,
  type WatchSink,
} from '@binnacle/kv';
import {
  documentLoading,
  type DocumentMediaType,
  documentWriting,
  readStoredDocument,
  writeStoredDocument,
} from '../codec/index.js';
import { type CustomCodec, OUTDATED_VALUE } from '../codec/custom/index.js';
import { inTurns } from '../slices/index.js';
import { ConvertingWatch } from './converting-watch.js';
import type { WebhookConverter } from './webhook-converter.js';

export interface ConvertingStoreOptions {
  readonly kv: KV;
  /** The version of values above this store. */
  readonly codec: CustomCodec;
  /** The version of values in the store below. */
  readonly stored: CustomCodec;
  /** The encoding of values in the store below. */
  readonly mediaType: DocumentMediaType;
  /** Every version that stored values may have, by apiVersion. */
  readonly versions: ReadonlyMap<string, CustomCodec>;
  readonly converter: Pick<WebhookConverter, 'convert'>;
}

interface DecodedValue {
  readonly object: KubernetesObject;
  readonly encoded: Uint8Array;
  /** Whether a write would give the value the same bytes. */
  readonly isCurrent: boolean;
}

/**
 * A store of one resource, seen in one of its versions. Reads convert to that version; writes convert to the storage
 * version. The layers above handle a single version, and wait for webhooks where they wait for the store anyway.
 *
 * Values are canonical, with the defaults of the version in which they were stored, and pruned by both versions. A
 * value whose stored form differs from the form of a write begins with {@link OUTDATED_VALUE}. A failed conversion
 * fails the whole read with a StatusError, or ends the watch with it; no object is left out. A value that cannot be decoded
 * is damaged for this store.
 */
export class ConvertingStore implements KV {
  readonly #options: ConvertingStoreOptions;
  readonly requestProgress?: () => boolean;
  readonly history?: (request: HistoryRequest, signal?: AbortSignal) => Promise<HistoryPage>;
  readonly revisionAt?: (time: number, signal?: AbortSignal) => Promise<number>;

  constructor(options: ConvertingStoreOptions) {
    this.#options = options;
    const { kv } = options;
    if (kv.requestProgress !== undefined) this.requestProgress = () => kv.requestProgress?.() ?? false;
    if (!hasHistory(kv)) return;
    this.history = async (request, signal) => this.#readHistory(await kv.history(request, signal));
    this.revisionAt = (time, signal) => kv.revisionAt(time, signal);
  }

  async range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> {
    const result = await this.#options.kv.range(request, signal);
    const damaged: DamagedKey[] = [];
    const values = await this.#read(
      result.items.map(({ value }) => value),
      (index, error) => {
        const [key, revision] = [result.items[index]?.key ?? '', result.items[index]?.modRevision ?? 0];
        if (request.damaged !== 'report' && error instanceof StatusError) throw error;
        const { message } = error;
        damaged.push({ key, revision, unreadable: { problem: 'undecodable', reason: message } });
        if (request.damaged !== 'report') throw new KVError('corrupt', message, { cause: error, damaged });
      },
    );
    const items = result.items.flatMap((item, index) => {
      const value = values[index];
      return value === undefined ? [] : [{ ...item, value }];
    });
    if (damaged.length === 0) return { ...result, items };
    const all = [...(result.damaged ?? []), ...damaged];
    return { ...result, items, damaged: all.sort((a, b) => compareUtf8(a.key, b.key)) };
  }

  async txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    const { operation } = request;
    const result = await this.#options.kv.txn(
      operation.type === 'put'
        ? { ...request, operation: { ...operation, value: await this.#written(operation.value) } }
        : request,
      signal,
    );
    if (result.succeeded) return { succeeded: true, revision: result.revision };
    const { current } = result;
    if (current === undefined) return result;
    const [value = current.value] = await this.read([current.value]);
    return { ...result, current: { ...current, value } };
  }

  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    const watch = new ConvertingWatch((values) => this.read(values), sink, signal);
    this.#options.kv.watch(request, watch, watch.signal);
  }

  /** Converts values to this version, with one webhook request for all that have another version. */
  async read(values: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const read = await this.#read(values, (_, error) => {
      throw error;
    });
    return read.map((value) => value ?? NOTHING);
  }

  /** {@link read}, without the values that `undecodable` accepts as such. */
  async #read(
    values: readonly Uint8Array[],
    undecodable: (index: number, error: Error) => void,
  ): Promise<(Uint8Array | undefined)[]> {
    const { codec, mediaType, converter } = this.#options;
    const results: (Uint8Array | undefined)[] = values.map(() => undefined);
    const indices: number[] = [];
    const objects: KubernetesObject[] = [];
    const binary = values.find(isCbor);
    if (binary !== undefined) await documentLoading(binary);
    await documentWriting(mediaType);
    await inTurns(values.entries(), ([index, value]) => {
      const decoded = this.#decode(value);
      if (decoded instanceof Error) return undecodable(index, decoded);
      const { object, isCurrent, encoded } = decoded;
      results[index] = isCurrent ? encoded : outdated(encoded);
      if (object.apiVersion === codec.apiVersion) return;
      // A value in the current stored form is not outdated because it is shown in another version.
      results[index] = isCurrent ? NOTHING : OUTDATED_VALUE;
      indices.push(index);
      objects.push(object);
    });
    if (objects.length === 0) return results;
    const converted = await converter.convert(objects, codec.apiVersion);
    await inTurns(indices.entries(), ([position, index]) => {
      const encoded = encodePruned(codec, converted[position] ?? {});
      results[index] = results[index] === NOTHING ? encoded : outdated(encoded);
    });
    return results;
  }

  /** Converts the values of events, and those before them. */
  async #readHistory(page: HistoryPage): Promise<HistoryPage> {
    const given = page.events
      .flatMap(({ value, previous }) => [value, previous?.value])
      .filter((value) => value !== undefined);
    const values = (await this.read(given)).values();
    const events = page.events.map((event) => {
      const { previous } = event;
      const value = event.value && values.next().value;
      const before = previous && { ...previous, value: values.next().value ?? previous.value };
      return { ...event, ...(value && { value }), ...(before && { previous: before }) };
    });
    return { ...page, events };
  }

  #decode(value: Uint8Array): DecodedValue | Error {
    try {
      return this.#decoded(value);
    } catch (error) {
      return asError(error);
    }
  }

  #decoded(value: Uint8Array): DecodedValue {
    const { versions, stored, mediaType } = this.#options;
    const document = readStoredDocument(value);
    const given = isObject(document) ? document.apiVersion : undefined;
    const apiVersion = typeof given === 'string' ? given : '';
    const codec = versions.get(apiVersion);
    if (codec === undefined) {
      throw unclassified(`request to convert CR from an invalid group/version: ${apiVersion}`);
    }
    const object = codec.decodeStored(document);
    codec.applyDefaults(object);
    delete object.metadata.resourceVersion;
    const encoded = codec.encode(object);
    const isCurrent = codec === stored && Buffer.compare(writeStoredDocument(encoded, mediaType), value) === 0;
    return { object, encoded, isCurrent };
  }

  /** Converts from this version to the storage version. */
  async #written(value: Uint8Array): Promise<Uint8Array> {
    const { codec, stored, mediaType, converter } = this.#options;
    await documentWriting(mediaType);
    if (codec === stored) return writeStoredDocument(value, mediaType);
    // This store encodes only objects.
    const document = parseJson(value).value as JsonObject;
    const [converted = {}] = await converter.convert([asObject(document)], stored.apiVersion);
    return writeStoredDocument(encodePruned(stored, converted), mediaType);
  }

  compact(revision: number, signal?: AbortSignal): Promise<void> {
    return this.#options.kv.compact(revision, signal);
  }

  currentRevision(signal?: AbortSignal): Promise<number> {
    return this.#options.kv.currentRevision(signal);
  }

  checkHealth(signal?: AbortSignal): Promise<void> {
    return this.#options.kv.checkHealth(signal);
  }

  status(signal?: AbortSignal): Promise<KVStatus> {
    return this.#options.kv.status(signal);
  }

  /** The owner of the store closes it. */
  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

const NOTHING = new Uint8Array(0);

function outdated(value: Uint8Array): Uint8Array {
  return Buffer.concat([OUTDATED_VALUE, value]);
}

/** Encodes a webhook's object without the fields that the version does not know. */
function encodePruned(codec: CustomCodec, converted: JsonObject): Uint8Array {
  try {
    return codec.encode(codec.decode(converted).object);
  } catch (error) {
    if (error instanceof DecodeError) throw unclassified(error.message);
    throw error;
  }
}
