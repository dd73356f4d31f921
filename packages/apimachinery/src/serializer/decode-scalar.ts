import type { JsonObject, JsonValue } from '../json/index.js';
import { canonicalizeQuantity, QuantityError } from '../quantity/index.js';
import type { ScalarSchema } from '../schema/index.js';
import {
  formatDuration,
  normalizeMicroTime,
  normalizeStoredMicroTime,
  normalizeStoredTime,
  normalizeTime,
  parseDuration,
  TimeParseError,
} from '../time/index.js';
import { type DecodeContext, DecodeError, describeValue } from './decode-context.js';

const INT32_MAX = 2 ** 31 - 1;
const INT32_MIN = -(2 ** 31);
const UINT32_MAX = 2 ** 32 - 1;

/**
 * Decodes a scalar to the form in which it is encoded. Undefined for Go's nil (`null` for times and `any`) and after an
 * error, which the context records. `holder` and `key` locate the value in its document.
 */
export function decodeScalar(
  value: JsonValue,
  schema: ScalarSchema,
  context: DecodeContext,
  holder: JsonObject | JsonValue[] | undefined,
  key: string | number,
): JsonValue | undefined {
  switch (schema.kind) {
    case 'string':
      if (typeof value === 'string') return value;
      return value === null ? '' : context.typeError(describeValue(value), schema.goType);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return value === null ? false : context.typeError(describeValue(value), schema.goType);
    case 'integer':
      return decodeInteger(value, schema, context, holder, key);
    case 'number':
      if (typeof value === 'number') {
        if (Number.isFinite(value)) return value;
        return context.typeError(`number ${context.numberText(value, holder, key)}`, schema.goType);
      }
      if (typeof value === 'bigint') return Number(value);
      return value === null ? 0 : context.typeError(describeValue(value), schema.goType);
    case 'bytes':
      return decodeBytes(value, context);
    case 'time':
      if (value === null) return undefined;
      return convert(ownString(value, context), context.clampsTimes ? normalizeStoredTime : normalizeTime);
    case 'microTime':
      if (value === null) return undefined;
      return convert(ownString(value, context), context.clampsTimes ? normalizeStoredMicroTime : normalizeMicroTime);
    case 'duration':
      return convert(value === null ? '' : ownString(value, context), normalizeDuration);
    case 'quantity':
      return decodeQuantity(value, context, holder, key);
    case 'intOrString':
      return decodeIntOrString(value, context, holder, key);
    case 'any':
      context.checkNumbers(value);
      return value === null ? undefined : value;
  }
}

function decodeInteger(
  value: JsonValue,
  schema: ScalarSchema,
  context: DecodeContext,
  holder: JsonObject | JsonValue[] | undefined,
  key: string | number,
): JsonValue | undefined {
  if (value === null) return 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    return context.typeError(describeValue(value), schema.goType);
  }
  if (context.isUnstructured) return convertInteger(value, schema, context);
  const unsigned = isUnsigned(schema);
  const text = context.numberText(value, holder, key);
  if (!/^-?[0-9]+$/.test(text) || !inRange(value, schema.bits ?? 64, unsigned)) {
    return context.typeError(`number ${text}`, schema.goType);
  }
  return withoutMinusZero(value);
}

/** Go's conversion between numbers: the lowest bits of an integer, but no part of a fraction. */
function convertInteger(
  value: number | bigint,
  schema: ScalarSchema,
  context: DecodeContext,
): number | bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    return context.error(`cannot convert float64 to ${schema.goType}`);
  }
  const bits = schema.bits ?? 64;
  const unsigned = isUnsigned(schema);
  if (inRange(value, bits, unsigned)) return withoutMinusZero(value);
  const exact = typeof value === 'bigint' ? value : int64Of(value);
  const wrapped = unsigned ? BigInt.asUintN(bits, exact) : BigInt.asIntN(bits, exact);
  const double = Number(wrapped);
  return Number.isSafeInteger(double) ? double : wrapped;
}

/** A whole double as a 64-bit integer; beyond its range the smallest one, as on amd64. */
function int64Of(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(value) : -(2n ** 63n);
}

function isUnsigned({ goType }: ScalarSchema): boolean {
  return goType.startsWith('uint');
}

/** 64-bit integers that no double holds exactly are bigints. Any other large number has lost precision. */
function inRange(value: number | bigint, bits: 32 | 64, unsigned: boolean): boolean {
  if (typeof value === 'number' && !unsigned && !Number.isSafeInteger(value)) return false;
  if (unsigned && value < 0) return false;
  if (bits === 32) return unsigned ? value <= UINT32_MAX : value >= INT32_MIN && value <= INT32_MAX;
  return unsigned ? value < 2n ** 64n : value < 2n ** 63n && value >= -(2n ** 63n);
}

/** The string for a type that decodes itself; any other value ends the decode. */
function ownString(value: JsonValue, context: DecodeContext): string {
  return typeof value === 'string' ? value : context.fatalTypeError(describeValue(value), 'string');
}

function convert<T>(text: string, conversion: (text: string) => T): T {
  try {
    return conversion(text);
  } catch (error) {
    if (error instanceof TimeParseError || error instanceof QuantityError) {
      throw new DecodeError(error.message, { cause: error });
    }
    throw error;
  }
}

function normalizeDuration(text: string): string {
  return formatDuration(parseDuration(text));
}

/** Reads numbers by their text, so that `1e3` keeps its decimal exponent. Other values fail with their text. */
function decodeQuantity(
  value: JsonValue,
  context: DecodeContext,
  holder: JsonObject | JsonValue[] | undefined,
  key: string | number,
): string {
  if (value === null) return '0';
  if (typeof value === 'string') return convert(value.trim(), canonicalizeQuantity);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return convert(isNumber ? context.numberText(value, holder, key) : 'not a quantity', canonicalizeQuantity);
}

function decodeIntOrString(
  value: JsonValue,
  context: DecodeContext,
  holder: JsonObject | JsonValue[] | undefined,
  key: string | number,
): string | number {
  if (typeof value === 'string') return value;
  if (value === null) return 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') context.fatalTypeError(describeValue(value), 'int32');
  const text = context.numberText(value, holder, key);
  if (!/^-?[0-9]+$/.test(text) || !inRange(value, 32, false)) context.fatalTypeError(`number ${text}`, 'int32');
  return withoutMinusZero(Number(value));
}

function withoutMinusZero<T extends number | bigint>(value: T): T | 0 {
  return value === 0 ? 0 : value;
}

/** Base64 in canonical form. A JSON list of numbers is bytes too, as in Go. Null is nil. */
function decodeBytes(value: JsonValue, context: DecodeContext): string | null | undefined {
  if (value === null) return null;
  if (Array.isArray(value)) return decodeByteList(value, context);
  if (typeof value !== 'string') return context.typeError(describeValue(value), '[]uint8');
  const wrong = firstIllegalBase64(value);
  if (wrong >= 0) return context.error(`illegal base64 data at input byte ${wrong}`);
  return Buffer.from(value, 'base64').toString('base64');
}

function decodeByteList(list: readonly JsonValue[], context: DecodeContext): string {
  const bytes = Buffer.alloc(list.length);
  for (const [index, item] of list.entries()) {
    if (item === null) continue;
    if (typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255) bytes[index] = item;
    else context.typeError(typeof item === 'number' ? `number ${item}` : describeValue(item), 'uint8');
  }
  return bytes.toString('base64');
}

/** The byte at which Go's decoder stops, or -1. Line ends are skipped; padding is required and ends the data. */
function firstIllegalBase64(text: string): number {
  if (isWellFormedBase64(text)) return -1;
  const bytes = Buffer.from(text);
  let digits = 0;
  let index = 0;
  for (; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === 0x0a || byte === 0x0d) continue;
    if (byte === 0x3d) return illegalPadding(bytes, index, digits);
    if (!isBase64Digit(byte)) return index;
    digits = (digits + 1) % 4;
  }
  return digits === 0 ? -1 : bytes.length - digits;
}

/** Without line ends. A pattern for the whole text would need memory to backtrack, and fails for long ones. */
function isWellFormedBase64(text: string): boolean {
  const digits = text.search(/[^A-Za-z0-9+/]/);
  const padding = digits < 0 ? '' : text.slice(digits, digits + 3);
  return text.length % 4 === 0 && (padding === '' || padding === '=' || padding === '==');
}

function illegalPadding(bytes: Buffer, first: number, digits: number): number {
  if (digits < 2) return first;
  let index = first + 1;
  if (digits === 2) {
    while (isLineEnd(bytes[index])) index++;
    if (index === bytes.length) return bytes.length;
    if (bytes[index] !== 0x3d) return index - 1;
    index++;
  }
  while (isLineEnd(bytes[index])) index++;
  return index < bytes.length ? index : -1;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isBase64Digit(byte: number): boolean {
  return (
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2f
  );
}
