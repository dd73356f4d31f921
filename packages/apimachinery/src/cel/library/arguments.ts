import { noSuchOverload } from '../evaluation-error.js';
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
): <Result>(run: (...args: Plain) => Result) => (...args: readonly Value[]) => Result {
  const [first, second] = readers;
  return <Result>(given: (...args: Plain) => Result) => {
    // Each reader returns its own type, so the arguments match in order.
    const run = given as unknown as (...args: readonly unknown[]) => Result;
    if (first !== undefined && readers.length === 1) return (value) => run(read(first, value));
    if (first !== undefined && second !== undefined && readers.length === 2) {
      return (left, right) => run(read(first, left), read(second, right));
    }
    return (...args) => run(...readers.map((reader, index) => read(reader, args[index])));
  };
}

function read<Plain>(reader: Reader<Plain>, value: Value = null): Plain {
  const plain = reader(value);
  if (plain === undefined) throw noSuchOverload();
  return plain;
}
