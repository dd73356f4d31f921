import type { Overload } from './overload.js';
import { isOptional, type Type } from './types.js';
import {
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  UnsignedInteger,
  type Value,
} from './values.js';

/** Whether an overload accepts these arguments, by their run-time types rather than their declared ones. */
export function accepts({ signature }: Overload, args: readonly Value[]): boolean {
  const wanted = signature.arguments;
  return wanted.length === args.length && wanted.every((type, index) => isA(type, args[index] ?? null));
}

function isA(type: Type, value: Value): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'parameter':
      return true;
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'uint':
      return value instanceof UnsignedInteger;
    case 'bytes':
      return value instanceof Uint8Array;
    case 'list':
      return value instanceof ListValue;
    case 'map':
      return value instanceof MapValue;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'type':
      return value instanceof TypeValue;
    case 'object':
      return value instanceof ObjectValue && value.typeName === type.name;
    case 'opaque':
      if (isOptional(type)) return value instanceof OptionalValue;
      return value instanceof OpaqueValue && value.typeName === type.name;
  }
}
