import { type Environment, groupOverloads } from '../environment.js';
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
  opaque,
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
import { FORMAT_FUNCTIONS } from './formats.js';
import { KUBERNETES_LISTS, LISTS, SETS } from './lists.js';
import { LOGIC } from './logic.js';
import { TIMESTAMPS } from './timestamps.js';
import { NETWORK } from './network.js';
import { OPTIONALS } from './optionals.js';
import { QUANTITIES } from './quantity.js';
import { REGEX } from './regex.js';
import { SEMVERS } from './semver.js';
import { STRINGS } from './strings.js';
import { TEXT } from './text.js';
import { URLS } from './url.js';

/** Functions of every expression: CEL's standard functions and those of optional values. */
export const STANDARD_FUNCTIONS: readonly Overload[] = [
  ...LOGIC,
  ...ARITHMETIC,
  ...COMPARISON,
  ...COLLECTIONS,
  ...CONVERSIONS,
  ...TEXT,
  ...TIMESTAMPS,
  ...OPTIONALS,
];

/** Functions of Kubernetes expressions, including the standard ones. Upstream: apiserver `pkg/cel/environment/base.go`. */
export const KUBERNETES_FUNCTIONS: readonly Overload[] = [
  ...STANDARD_FUNCTIONS,
  ...STRINGS,
  ...KUBERNETES_LISTS,
  ...LISTS,
  ...SETS,
  ...REGEX,
  ...URLS,
  ...NETWORK,
  ...QUANTITIES,
  ...FORMAT_FUNCTIONS,
  ...SEMVERS,
];

/** Types that are also values: `type(1) == int`. */
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

export const KUBERNETES_TYPES: ReadonlyMap<string, Type> = new Map([
  ...STANDARD_TYPES,
  ['net.CIDR', opaque('net.CIDR')],
  ['net.IP', opaque('net.IP')],
]);

/** The functions and types of expressions in Kubernetes. Each environment adds its variables. */
export const KUBERNETES_LIBRARY: Pick<Environment, 'functions' | 'types'> = {
  functions: groupOverloads(KUBERNETES_FUNCTIONS),
  types: KUBERNETES_TYPES,
};
