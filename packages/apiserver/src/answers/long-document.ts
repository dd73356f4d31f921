import { type JsonObject, sortedKeys, stringifyJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec } from '../codec/index.js';
import type { StoredObject } from '../storage/index.js';
import { inTurns } from '../slices/index.js';
import type { ListHead, LongDocument, MetaVersion, Presentation } from './encoding.js';

const COMMA = Buffer.from(',');

/** A list of objects of the codec's kind. Untyped lists have sorted keys and keep an empty continue token. */
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

/** A list of partial metadata in a version of meta.k8s.io; the elements are its JSON. */
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

/** The JSON of stored objects as list items. */
export function storedElements(view: Presentation, items: readonly StoredObject[]): Iterable<Uint8Array> {
  return lazily(items, (stored) => {
    if (!view.isStoredForm) return elementOf(view.codec, view.show(stored));
    const json = Buffer.allocUnsafe(stored.listItemLength);
    stored.writeListItem(json, 0);
    return json;
  });
}

/** The JSON of objects that are not stored, as list items. */
export function elementsOf(codec: KindCodec, objects: readonly Readonly<KubernetesObject>[]): Iterable<Uint8Array> {
  return lazily(objects, (object) => elementOf(codec, object));
}

/** Elements that are made on each iteration. */
export function lazily<T>(items: readonly T[], make: (item: T) => Uint8Array): Iterable<Uint8Array> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield make(item);
    },
  };
}

/** Throws the error of the first unreadable object, because an answer that has begun cannot report it. */
export async function checkReadable(items: readonly StoredObject[]): Promise<void> {
  await inTurns(items, (item) => item.canonical);
}

/** The JSON of a long document, in parts. */
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

/** The JSON before and after the elements, which commas separate. */
export function aroundElements({ fields, list }: LongDocument): { before: Buffer; after: Buffer } {
  const names = Object.keys(fields);
  const place = names.indexOf(list);
  const write = (name: string): string => `${JSON.stringify(name)}:${stringifyJson(fields[name] ?? null)}`;
  const before = [...names.slice(0, place).map(write), `${JSON.stringify(list)}:[`].join(',');
  const after = names.slice(place + 1).map((name) => `,${write(name)}`);
  return { before: Buffer.from(`{${before}`), after: Buffer.from(`]${after.join('')}}\n`) };
}

/** Only the items of untyped lists have kind and apiVersion. */
function elementOf(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array {
  const encoded = codec.encode(object);
  if (codec.untyped === true) return encoded;
  const text = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  return Buffer.concat([Buffer.from('{'), text.subarray(text.indexOf('"metadata":'))]);
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(sortedKeys(object).map((key) => [key, object[key] ?? null]));
}
