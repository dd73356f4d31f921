import {
  isLarge,
  isObject,
  type JsonObject,
  type JsonValue,
  sortedInSteps,
  sortedKeys,
  sortedTextsInSteps,
} from '../json/index.js';
import { CBOR_PREFIX } from '../serializer/index.js';
import { Pace, type Steps } from '../work/index.js';
import { ARRAY, FALSE, MAP, NULL, TRUE } from './item-type.js';
import { CborWriter } from './writer.js';

const shared = new CborWriter();

/** About a millisecond of writing. */
const VALUES_PER_STEP = 2000;

/** Encodes a whole document. */
export function encodeCbor(value: JsonValue): Buffer {
  return written((writer) => {
    writer.raw(CBOR_PREFIX);
    writeValue(writer, value);
  });
}

/** {@link encodeCbor} in steps, for documents that may be large. These have a writer of their own. */
export function* encodeCborInSteps(value: JsonValue): Steps<Buffer> {
  if (!isLarge(value)) return encodeCbor(value);
  const writer = new CborWriter();
  writer.raw(CBOR_PREFIX);
  yield* writeInSteps(writer, value, new Pace(VALUES_PER_STEP));
  return writer.toBytes();
}

/** Encodes a value inside a document. */
export function encodeCborItem(value: JsonValue): Buffer {
  return written((writer) => writeValue(writer, value));
}

/**
 * The bytes before the first and after the last element of a document's list of `count` elements. Keys are in the order
 * in which {@link encodeCbor} writes them.
 */
export function aroundList(fields: JsonObject, list: string, count: number): { before: Buffer; after: Buffer } {
  const keys = encodedOrder({ ...fields, [list]: null });
  const place = keys.indexOf(list);
  const writeFields = (writer: CborWriter, some: readonly string[]): void => {
    for (const key of some) writeField(writer, key, fields[key] ?? null);
  };
  const before = written((writer) => {
    writer.raw(CBOR_PREFIX);
    writer.head(MAP, keys.length);
    writeFields(writer, keys.slice(0, place));
    writer.string(list);
    writer.head(ARRAY, count);
  });
  return { before, after: written((writer) => writeFields(writer, keys.slice(place + 1))) };
}

function written(write: (writer: CborWriter) => void): Buffer {
  try {
    write(shared);
    return shared.toBytes();
  } finally {
    shared.reset();
  }
}

function writeValue(writer: CborWriter, value: JsonValue): void {
  if (typeof value === 'string') writer.string(value);
  else if (value === null) writer.simple(NULL);
  else if (typeof value === 'boolean') writer.simple(value ? TRUE : FALSE);
  else if (typeof value === 'bigint' || Number.isSafeInteger(value)) writer.integer(value as number | bigint);
  else if (typeof value === 'number') writer.float(value);
  else if (isObject(value)) writeMap(writer, value);
  else {
    writer.head(ARRAY, value.length);
    for (const item of value) writeValue(writer, item);
  }
}

function writeMap(writer: CborWriter, object: JsonObject): void {
  const keys = encodedOrder(object);
  writer.head(MAP, keys.length);
  for (const key of keys) writeField(writer, key, object[key] ?? null);
}

function writeField(writer: CborWriter, key: string, value: JsonValue): void {
  writer.string(key);
  writeValue(writer, value);
}

/** Writes a value that may be large; small parts as a whole. */
function* writeInSteps(writer: CborWriter, value: JsonValue, pace: Pace): Steps<void> {
  if (!isLarge(value)) writeValue(writer, value);
  else if (Array.isArray(value)) {
    writer.head(ARRAY, value.length);
    for (const item of value) yield* writeInSteps(writer, item, pace);
  } else if (isObject(value)) {
    const keys = yield* encodedOrderInSteps(value);
    writer.head(MAP, keys.length);
    for (const key of keys) {
      writer.string(key);
      yield* writeInSteps(writer, value[key] ?? null, pace);
    }
  }
  if (pace.endsStep()) yield;
}

/** The keys that are present, in the order of their encoded bytes: RFC 8949, section 4.2.1. */
function encodedOrder(object: JsonObject): string[] {
  const keys = sortedKeys(object).filter((key) => object[key] !== undefined);
  return keys.length < 2 ? keys : keys.sort(byLength);
}

/** {@link encodedOrder} in steps. To list the keys takes a step of its own. */
function* encodedOrderInSteps(object: JsonObject): Steps<readonly string[]> {
  yield;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  yield;
  return yield* sortedInSteps(yield* sortedTextsInSteps(keys), byLength);
}

function byLength(left: string, right: string): number {
  return Buffer.byteLength(left) - Buffer.byteLength(right);
}
