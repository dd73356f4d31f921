import type { Overload } from '../overload.js';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../types.js';
import { ARITHMETIC } from './arithmetic.js';
import { COLLECTIONS } from './collections.js';
import { COMPARISON } from './comparison.js';
import { CONVERSIONS } from './conversions.js';
import { LOGIC } from './logic.js';
import { MOMENTS } from './moments.js';
import { OPTIONALS } from './optionals.js';
import { TEXT } from './text.js';

/** What every expression may use: CEL's standard functions, and those of optional values. */
export const STANDARD_FUNCTIONS: readonly Overload[] = [
  ...LOGIC,
  ...ARITHMETIC,
  ...COMPARISON,
  ...COLLECTIONS,
  ...CONVERSIONS,
  ...TEXT,
  ...MOMENTS,
  ...OPTIONALS,
];

/** Types that are values: `type(1) == int`. */
export const STANDARD_TYPES: ReadonlyMap<string, Type> = new Map([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['google.protobuf.Duration', DURATION],
  ['int', INT],
  ['list', listOf(DYN)],
  ['map', mapOf(DYN, DYN)],
  ['null_type', NULL],
  ['string', STRING],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['type', typeOf(DYN)],
  ['uint', UINT],
]);
