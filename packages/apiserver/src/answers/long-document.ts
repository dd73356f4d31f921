import { type JsonObject, sortedKeys, stringifyJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec } from '../codec/index.js';
import type { StoredObject } from '../storage/index.js';
import { inTurns } from '../slices/index.js';
import type { ListHead, MetaVersion, Presentation } from './encoding.js';

const COMMA = Buffer.from(',');

/** A document of which one list is long: its elements are made while it is sent. */
export interface LongDocument {
  readonly apiVersion: string;
  readonly kind: string;
  /** All fields in the order in which they are written; the long list is empty here. */
  readonly fields: JsonObject;
  /** The field that is the long list. */
  readonly list: 'items' | 'rows';
  /** Of the elements. */
  readonly count: number;
  /** The JSON of each. May be iterated more than once. */
  readonly elements: Iterable<Uint8Array>;
}

/** A list of objects of the codec's kind. Without a type, keys are sorted, and an empty continue token is a token. */
export function listDocument(
  codec: KindCodec,
  { kind, metadata }: ListHead,
  count: number,
  elements: Iterable<Uint8Array>,
): LongDocument {
  const { apiVersion } = codec;
  const fields: JsonObject =
    codec.untyped === true
      ? { apiVersion, items: [], kind, metadata: sorted({ continue: '', ...metadata }) }
      : { kind, apiVersion, metadata, items: [] };
  return { apiVersion, kind, fields, list: 'items', count, elements };
}

/** A list of metadata alone, of a version of meta.k8s.io; the elements are the JSON of objects' metadata alone. */
export function partialMetadataList(
  version: MetaVersion,
  metadata: JsonObject,
  count: number,
  elements: Iterable<Uint8Array>,
): LongDocument {
  const kind = 'PartialObjectMetadataList';
  const apiVersion = `meta.k8s.io/${version}`;
  return { apiVersion, kind, fields: { kind, apiVersion, metadata, items: [] }, list: 'items', count, elements };
}

/** The JSON of stored objects as a list shows them. */
export function storedElements(view: Presentation, items: readonly StoredObject[]): Iterable<Uint8Array> {
  return lazily(items, (stored) => {
    if (!view.isStoredForm) return elementOf(view.codec, view.show(stored));
    const json = Buffer.allocUnsafe(stored.listItemLength);
    stored.writeListItem(json, 0);
    return json;
  });
}

/** The same of objects that are stored nowhere. */
export function elementsOf(codec: KindCodec, objects: readonly Readonly<KubernetesObject>[]): Iterable<Uint8Array> {
  return lazily(objects, (object) => elementOf(codec, object));
}

/** Elements that are made whenever they are iterated. */
export function lazily<T>(items: readonly T[], make: (item: T) => Uint8Array): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield make(item);
    },
  };
}

/** Throws what is thrown for the first object that cannot be read: no answer may begin that cannot be ended. */
export async function checkReadable(items: readonly StoredObject[]): Promise<void> {
  await inTurns(items, (item) => item.canonical);
}

/** The JSON of a long document, part by part. */
export function* jsonOf(document: LongDocument): Generator<Uint8Array> {
  const { before, after } = aroundElements(document);
  yield before;
  let first = true;
  for (const element of document.elements) {
    if (!first) yield COMMA;
    first = false;
    yield element;
  }
  yield after;
}

/** JSON before and after the elements, which commas part. */
export function aroundElements({ fields, list }: LongDocument): { before: Buffer; after: Buffer } {
  const names = Object.keys(fields);
  const place = names.indexOf(list);
  const write = (name: string): string => `${JSON.stringify(name)}:${stringifyJson(fields[name] ?? null)}`;
  const before = [...names.slice(0, place).map(write), `${JSON.stringify(list)}:[`].join(',');
  const after = names.slice(place + 1).map((name) => `,${write(name)}`);
  return { before: Buffer.from(`{${before}`), after: Buffer.from(`]${after.join('')}}\n`) };
}

/** Only without a type do the items of a list say what they are. */
function elementOf(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array {
  const encoded = codec.encode(object);
  if (codec.untyped === true) return encoded;
  const text = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  return Buffer.concat([Buffer.from('{'), text.subarray(text.indexOf('"metadata":'))]);
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(sortedKeys(object).map((key) => [key, object[key] ?? null]));
}
