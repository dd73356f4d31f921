import { isObject, type JsonObject, type JsonValue, sortedKeys } from '../json/index.js';
import { CBOR_PREFIX } from '../serializer/index.js';
import { ARRAY, FALSE, MAP, NULL, TRUE } from './item-type.js';
import { CborWriter } from './writer.js';

const writer = new CborWriter();

/** Encodes a whole document. */
export function encodeCbor(value: JsonValue): Buffer {
  return written(() => {
    writer.raw(CBOR_PREFIX);
    writeValue(value);
  });
}

/** Encodes a value inside a document. */
export function encodeCborItem(value: JsonValue): Buffer {
  return written(() => writeValue(value));
}

/**
 * The bytes before the first and after the last element of a document's list of `count` elements. Keys are in the order
 * in which {@link encodeCbor} writes them.
 */
export function aroundList(fields: JsonObject, list: string, count: number): { before: Buffer; after: Buffer } {
  const keys = encodedOrder({ ...fields, [list]: null });
  const place = keys.indexOf(list);
  const writeFields = (some: readonly string[]): void => {
    for (const key of some) writeField(key, fields[key] ?? null);
  };
  const before = written(() => {
    writer.raw(CBOR_PREFIX);
    writer.head(MAP, keys.length);
    writeFields(keys.slice(0, place));
    writer.string(list);
    writer.head(ARRAY, count);
  });
  return { before, after: written(() => writeFields(keys.slice(place + 1))) };
}

function written(write: () => void): Buffer {
  try {
    write();
    return writer.toBytes();
  } finally {
    writer.reset();
  }
}

function writeValue(value: JsonValue): void {
  if (typeof value === 'string') writer.string(value);
  else if (value === null) writer.simple(NULL);
  else if (typeof value === 'boolean') writer.simple(value ? TRUE : FALSE);
  else if (typeof value === 'bigint' || Number.isSafeInteger(value)) writer.integer(value as number | bigint);
  else if (typeof value === 'number') writer.float(value);
  else if (isObject(value)) writeMap(value);
  else {
    writer.head(ARRAY, value.length);
    for (const item of value) writeValue(item);
  }
}

function writeMap(object: JsonObject): void {
  const keys = encodedOrder(object);
  writer.head(MAP, keys.length);
  for (const key of keys) writeField(key, object[key] ?? null);
}

function writeField(key: string, value: JsonValue): void {
  writer.string(key);
  writeValue(value);
}

/** The keys that are present, in the order of their encoded bytes: RFC 8949, section 4.2.1. */
function encodedOrder(object: JsonObject): string[] {
  const keys = sortedKeys(object).filter((key) => object[key] !== undefined);
  return keys.length < 2 ? keys : keys.sort((a, b) => Buffer.byteLength(a) - Buffer.byteLength(b));
}
