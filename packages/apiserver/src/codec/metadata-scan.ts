import { endOfValue, startsAt } from '@binnacle/apimachinery/json';

const QUOTE = 0x22;
const COMMA = 0x2c;

const metadata = Buffer.from('"metadata":{');
const resourceVersion = Buffer.from('"resourceVersion"');
const labels = Buffer.from('"labels":');
const none: Readonly<Record<string, string>> = Object.freeze({});

/** The fields that upstream writes before resourceVersion. */
const beforeVersion = ['name', 'generateName', 'namespace', 'selfLink', 'uid'].map((key) => Buffer.from(`"${key}":`));

/**
 * The labels in an object's compact JSON, whose metadata begins at `offset`. It reads no further than necessary,
 * because selectors call it for every object of a list and every event.
 */
export function labelsOf(json: Uint8Array, offset: number): Readonly<Record<string, string>> {
  const bytes = bufferOf(json);
  let at = startOfMembers(bytes, offset);
  while (bytes[at] === QUOTE) {
    const isLabels = startsAt(bytes, labels, at);
    const value = endOfValue(bytes, at) + 1;
    const end = endOfValue(bytes, value);
    if (isLabels) return JSON.parse(bytes.toString('utf8', value, end)) as Record<string, string>;
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return none;
}

/** The place of resourceVersion in the same JSON: before the next member of metadata, or before its closing brace. */
export function versionOffset(json: Uint8Array, offset: number): number {
  const bytes = bufferOf(json);
  let at = startOfMembers(bytes, offset);
  for (const key of beforeVersion) {
    if (!startsAt(bytes, key, at)) continue;
    const end = endOfValue(bytes, at + key.length);
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return at;
}

/** The offset of metadata in an object's JSON with sorted keys. `guess` is the offset if no field sorts before it. */
export function metadataOffset(json: Uint8Array, guess: number): number {
  const bytes = bufferOf(json);
  if (startsAt(bytes, metadata, guess)) return guess;
  let at = 1;
  while (bytes[at] === QUOTE) {
    if (startsAt(bytes, metadata, at)) return at;
    const end = endOfValue(bytes, endOfValue(bytes, at) + 1);
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  throw new Error('canonical bytes without metadata');
}

/** {@link versionOffset} for metadata with sorted keys. */
export function sortedVersionOffset(json: Uint8Array, offset: number): number {
  const bytes = bufferOf(json);
  let at = startOfMembers(bytes, offset);
  while (bytes[at] === QUOTE) {
    const key = endOfValue(bytes, at);
    if (bytes.compare(resourceVersion, 0, resourceVersion.length, at, key) > 0) return at;
    const end = endOfValue(bytes, key + 1);
    at = bytes[end] === COMMA ? end + 1 : end;
  }
  return at;
}

function bufferOf(json: Uint8Array): Buffer {
  return Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
}

function startOfMembers(bytes: Buffer, offset: number): number {
  if (!startsAt(bytes, metadata, offset)) throw new Error('canonical bytes without metadata');
  return offset + metadata.length;
}
