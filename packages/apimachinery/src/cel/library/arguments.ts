import { noSuchOverload } from '../evaluation-error.js';
import type { Implementation } from '../overload.js';
import { Duration, ListValue, MapValue, OptionalValue, Timestamp, UnsignedInteger, type Value } from '../values.js';

/** Reads one argument as what an implementation works with; `undefined` if it is something else. */
type Reader<Plain> = (value: Value) => Plain | undefined;

export const int: Reader<bigint> = (value) => (typeof value === 'bigint' ? value : undefined);
export const uint: Reader<bigint> = (value) => (value instanceof UnsignedInteger ? value.value : undefined);
export const double: Reader<number> = (value) => (typeof value === 'number' ? value : undefined);
export const string: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);
export const bool: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
export const bytes: Reader<Uint8Array> = (value) => (value instanceof Uint8Array ? value : undefined);
export const list: Reader<ListValue> = (value) => (value instanceof ListValue ? value : undefined);
export const map: Reader<MapValue> = (value) => (value instanceof MapValue ? value : undefined);
export const timestamp: Reader<Timestamp> = (value) => (value instanceof Timestamp ? value : undefined);
export const duration: Reader<Duration> = (value) => (value instanceof Duration ? value : undefined);
export const optional: Reader<OptionalValue> = (value) => (value instanceof OptionalValue ? value : undefined);
export const any: Reader<Value> = (value) => value;

/**
 * An implementation of a function of plain values: `from(string, int)((text, index) => ...)`. Arguments have been matched with the
 * signature before; a reader that does not fit it is answered as an overload that does not exist.
 */
export function from<Plain extends readonly unknown[]>(
  ...readers: { [Index in keyof Plain]: Reader<Plain[Index]> }
): (run: (...args: Plain) => Value) => Implementation {
  return (run) =>
    (...args) => {
      const plain = readers.map((reader, index) => {
        const value = reader(args[index] ?? null);
        if (value === undefined) throw noSuchOverload();
        return value;
      });
      // The readers give the types that they stand for, in their order.
      return run(...(plain as unknown as Plain));
    };
}
