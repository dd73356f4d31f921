import { type JsonDetails, JsonReader, type NumberTexts } from './reader.js';
import { JsonSyntaxError } from './syntax-error.js';
import { decodeUtf8, wellFormed } from './text.js';
import type { JsonValue } from './value.js';

export interface ParseJsonLimits {
  /** The maximum nesting of containers. Default {@link MAX_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** For typed decoding, which ignores unknown fields: records the error in the details instead of throwing it. */
  readonly keepRangeError?: boolean;
}

export interface ParsedJson {
  readonly value: JsonValue;
  /** Paths of duplicate keys in document order, each once, at most a hundred: `data.a`, `spec.containers[0].name`. */
  readonly duplicates: readonly string[];
  /** Absent for plain documents, without duplicates and with only 64-bit integers as numbers. */
  readonly details: (JsonDetails & { readonly numberTexts: NumberTexts }) | undefined;
}

/**
 * The maximum nesting of a document. Go stops at 10000. Every walk over a decoded tree recurses; this depth is safe for
 * all of them, and real objects stay far below it.
 */
export const MAX_JSON_DEPTH = 1000;

/** A few milliseconds of work. */
const VALUES_PER_STEP = 4000;

/**
 * Parses one JSON document as `sigs.k8s.io/json` does: 64-bit integers are exact and other numbers doubles, the last of
 * duplicate keys wins, invalid UTF-8 and lone surrogates become U+FFFD.
 *
 * Throws `JsonSyntaxError`, or `JsonNumberRangeError` for a number beyond all doubles unless `keepRangeError` is set.
 */
export function parseJson(source: Uint8Array | string, limits?: ParseJsonLimits): ParsedJson {
  const parsing = parseJsonInSteps(source, limits);
  for (;;) {
    const step = parsing.next();
    if (step.done === true) return step.value;
  }
}

/** {@link parseJson} in steps, for documents that may be large. */
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
  const plain = reader.duplicateKeys.size === 0 && reader.numberTexts.size === 0;
  return { value: reader.value, duplicates: reader.duplicates.texts, details: plain ? undefined : reader };
}

/**
 * Go's scanner counts and quotes bytes. Parsing the document again with one character for each byte gives the same
 * error with byte offsets.
 */
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
