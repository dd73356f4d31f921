import { equal } from '../equality.js';
import { EvaluationError, noSuchKey } from '../evaluation-error.js';
import { IN, INDEX, MAP_INSERT } from '../operators.js';
import { type Overload, overload } from '../overload.js';
import { type ListValue, type MapKey, mapKey, MapValue, type Value } from '../values.js';
import { any, bytes, from, list, map, string } from './arguments.js';
import { displayValue } from './display.js';

/** The element at an index of any numeric type; undefined outside of the list. */
export function elementAt(values: ListValue, index: Value): Value | undefined {
  const key = mapKey(index);
  if (typeof key !== 'bigint') throw new EvaluationError(`unsupported index value ${displayValue(index)} in list`);
  const at = Number(key);
  return at >= 0 && at < values.size ? values.at(at) : undefined;
}

const countCodePoints = (text: string): bigint => BigInt(Array.from(text).length);

const SIZES = [
  ['bytes', 'bytes', from(bytes)((value) => BigInt(value.length))],
  ['list', 'list(A)', from(list)((value) => BigInt(value.size))],
  ['map', 'map(A, B)', from(map)((value) => BigInt(value.size))],
  ['string', 'string', from(string)(countCodePoints)],
] as const;

/** Upstream: cel-go `common/stdlib/standard.go`. */
export const COLLECTIONS: readonly Overload[] = [
  overload(INDEX, 'index_list', '(list(A), int) -> A', from(list, any)(index)),
  overload(INDEX, 'index_map', '(map(A, B), A) -> B', from(map, any)(lookUp)),
  overload(IN, 'in_list', '(A, list(A)) -> bool', from(any, list)(contains)),
  overload(
    IN,
    'in_map',
    '(A, map(A, B)) -> bool',
    from(any, map)((key, values) => values.get(key) !== undefined),
  ),
  ...SIZES.flatMap(([id, type, implementation]) => [
    overload('size', `size_${id}`, `(${type}) -> int`, implementation),
    overload('size', `${id}_size`, `${type}.() -> int`, implementation),
  ]),
  overload(MAP_INSERT, '@mapInsert_map_key_value', '(map(A, B), A, B) -> map(A, B)', from(map, any, any)(insert)),
  overload(MAP_INSERT, '@mapInsert_map_map', '(map(A, B), map(A, B)) -> map(A, B)', from(map, map)(insertAll)),
];

function index(values: ListValue, at: Value): Value {
  const found = elementAt(values, at);
  if (found === undefined) throw new EvaluationError(`index out of bounds: ${displayValue(at)}`);
  return found;
}

function lookUp(values: MapValue, key: Value): Value {
  const found = values.get(key);
  if (found === undefined) throw noSuchKey(displayValue(key));
  return found;
}

function contains(wanted: Value, values: ListValue): boolean {
  for (const value of values) if (equal(value, wanted)) return true;
  return false;
}

function insertAll(values: MapValue, more: MapValue): MapValue {
  let all = values;
  for (const key of more.keys()) all = insert(all, key, more.get(key) ?? null);
  return all;
}

/**
 * A comprehension builds its map one entry at a time. The maps share one array of entries, and each sees those up to
 * its own.
 */
class SharedEntries {
  readonly keys: Value[] = [];
  readonly entries = new Map<MapKey, { readonly value: Value; readonly order: number }>();
}

const growing = new WeakMap<MapValue, SharedEntries>();

function insert(values: MapValue, key: Value, value: Value): MapValue {
  const plain = mapKey(key);
  if (plain === undefined) throw new EvaluationError(`unsupported key type: ${displayValue(key)}`);
  if (values.get(key) !== undefined) {
    throw new EvaluationError(`insert failed: key ${displayValue(key)} already exists`);
  }
  const known = growing.get(values);
  // Only the latest map can grow in place; growing any other copies its entries.
  const shared = known?.keys.length === values.size ? known : copyOf(values);
  const order = shared.keys.push(key) - 1;
  shared.entries.set(plain, { value, order });
  const grown = new MapValue({
    size: shared.keys.length,
    get: (wanted) => {
      const entry = shared.entries.get(wanted);
      return entry !== undefined && entry.order <= order ? entry.value : undefined;
    },
    keys: () => shared.keys.slice(0, order + 1),
  });
  growing.set(grown, shared);
  return grown;
}

function copyOf(values: MapValue): SharedEntries {
  const copy = new SharedEntries();
  for (const key of values.keys()) {
    const plain = mapKey(key);
    if (plain === undefined) continue;
    copy.entries.set(plain, { value: values.get(key) ?? null, order: copy.keys.push(key) - 1 });
  }
  return copy;
}
