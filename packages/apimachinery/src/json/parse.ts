import type { JsonDetails, NumberTexts } from './details.js';
import { type JsonLimits, JsonReader } from './reader.js';
import { JsonSyntaxError } from './syntax-error.js';
import { decodeUtf8, wellFormed } from './text.js';
import type { JsonValue } from './value.js';

export interface ParseJsonLimits extends JsonLimits {
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
  const reader = new JsonReader(typeof source === 'string' ? wellFormed(source) : decodeUtf8(source), limits);
  try {
    while (!reader.advance(VALUES_PER_STEP)) yield;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw (yield* byteSyntaxError(source, limits)) ?? error;
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
  limits: JsonLimits | undefined,
): Generator<undefined, JsonSyntaxError | undefined, undefined> {
  const bytes =
    typeof source === 'string' ? Buffer.from(source) : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const reader = new JsonReader(bytes.toString('latin1'), limits);
  try {
    while (!reader.advance(VALUES_PER_STEP)) yield;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
  }
  return undefined;
}
