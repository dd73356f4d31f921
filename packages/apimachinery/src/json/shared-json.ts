import { LruMap } from '../caches/index.js';
import type { JsonObject } from './value.js';
import type { JsonWriter } from './writer.js';

/** Bytes of all texts together. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A longer text is rarely part of many documents. */
const LONGEST_TEXT = 16 * 1024;

const shared = new WeakSet<Readonly<JsonObject>>();
const texts = new LruMap<Readonly<JsonObject>, Uint8Array>(MOST_BYTES, (_, text) => text.length);

/** Declares that an object never changes and will be part of many documents, so that its JSON is kept for a while. */
export function shareJson(object: Readonly<JsonObject>): void {
  shared.add(object);
}

/** Writes an object with its keys in their order, as `JsonWriter.value` does, and keeps the JSON of a shared one. */
export function writeSharedJson(writer: JsonWriter, object: JsonObject): void {
  const known = texts.get(object);
  if (known !== undefined) {
    writer.bytes(known);
    return;
  }
  const start = writer.position;
  writer.value(object, false);
  if (shared.has(object) && writer.position - start <= LONGEST_TEXT) texts.set(object, writer.bytesSince(start));
}
