import { noSuchOverload } from '../evaluation-error.js';
import type { Implementation } from '../overload.js';
import { Duration, ListValue, MapValue, OptionalValue, Timestamp, UnsignedInteger, type Value } from '../values.js';

/** Converts one argument to the type of the implementation; `undefined` if it has another type. */
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
 * Wraps an implementation over plain values: `from(string, int)((text, index) => ...)`. The arguments already match the
 * signature. If a reader rejects its argument, the call fails as having no such overload.
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
      // Each reader returns its own type, so the tuple matches in order.
      return run(...(plain as unknown as Plain));
    };
}
