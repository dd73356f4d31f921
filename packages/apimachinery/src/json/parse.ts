import { type JsonDetails, JsonReader } from './reader.js';
import { JsonSyntaxError } from './syntax-error.js';
import { decodeUtf8, wellFormed } from './text.js';
import type { JsonValue } from './value.js';

export interface ParseJsonLimits {
  /** Containers within containers. Default {@link MAX_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** For readers into types, which ignore what the type does not name: the details have the error in place of a throw. */
  readonly keepRangeError?: boolean;
}

export interface ParsedJson {
  readonly value: JsonValue;
  /** Places of keys that stood twice, in document order: `data.a`, `spec.containers[0].name`. */
  readonly duplicates: readonly string[];
  /** Absent for plain documents: no duplicates, and no numbers but 64-bit integers. */
  readonly details: JsonDetails | undefined;
}

/**
 * How deep a document may nest. Go stops at 10000; every walk over a decoded tree recurses, and this depth is safe for all
 * of them while no real object comes near it.
 */
export const MAX_JSON_DEPTH = 1000;

/** A few milliseconds' worth. */
const VALUES_PER_STEP = 4000;

/**
 * Reads one JSON document as `sigs.k8s.io/json` does: exact 64-bit integers (others are doubles), the last of duplicate keys
 * wins, invalid UTF-8 and lone surrogates become U+FFFD.
 *
 * Throws `JsonSyntaxError`, or `JsonNumberRangeError` for a number that no double holds unless that is kept.
 */
export function parseJson(source: Uint8Array | string, limits?: ParseJsonLimits): ParsedJson {
  const parsing = parseJsonInSteps(source, limits);
  for (;;) {
    const step = parsing.next();
    if (step.done === true) return step.value;
  }
}

/** {@link parseJson}, for documents that may be large: it yields now and then. */
export function* parseJsonInSteps(
  source: Uint8Array | string,
  limits?: ParseJsonLimits,
): Generator<undefined, ParsedJson, undefined> {
  const maxDepth = limits?.maxDepth ?? MAX_JSON_DEPTH;
  const reader = new JsonReader(typeof source === 'string' ? wellFormed(source) : decodeUtf8(source), maxDepth);
  try {
    while (!reader.advance(VALUES_PER_STEP)) yield;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw (yield* byteSyntaxError(source, maxDepth)) ?? error;
    throw error;
  }
  if (reader.rangeError !== undefined && limits?.keepRangeError !== true) throw reader.rangeError;
  const plain = reader.duplicates.length === 0 && reader.numberTexts.size === 0;
  return { value: reader.value, duplicates: reader.duplicates, details: plain ? undefined : reader };
}

/** Go's scanner counts and quotes bytes: the same document, read again with one character for each byte, fails alike. */
function* byteSyntaxError(
  source: Uint8Array | string,
  maxDepth: number,
): Generator<undefined, JsonSyntaxError | undefined, undefined> {
  const bytes =
    typeof source === 'string' ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const reader = new JsonReader(bytes.toString('latin1'), maxDepth);
  try {
    while (!reader.advance(VALUES_PER_STEP)) yield;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
  }
  return undefined;
}
