import { Pace, type Steps } from '../../work/index.js';
import { EvaluationError, noSuchKey } from '../evaluation-error.js';
import { IN, INDEX, MAP_INSERT } from '../operators.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { type ListValue, type MapKey, mapKey, MapValue, type Value } from '../values.js';
import { countCodePoints } from './code-points.js';
import { any, bytes, from, list, map, string } from './arguments.js';
import { comparesNested, contains } from './comparing.js';
import { displayValue } from './display.js';

/** The element at an index of any numeric type; undefined outside of the list. */
export function elementAt(values: ListValue, index: Value): Value | undefined {
  const key = mapKey(index);
  if (typeof key !== 'bigint') throw new EvaluationError(`unsupported index value ${displayValue(index)} in list`);
  const at = Number(key);
  return at >= 0 && at < values.size ? values.at(at) : undefined;
}

const SIZES = [
  ['bytes', 'bytes', from(bytes)((value) => BigInt(value.length))],
  ['list', 'list(A)', from(list)((value) => BigInt(value.size))],
  ['map', 'map(A, B)', from(map)((value) => BigInt(value.size))],
  ['string', 'string', from(string)((text) => BigInt(countCodePoints(text)))],
] as const;

/** Upstream: cel-go `common/stdlib/standard.go`. */
export const COLLECTIONS: readonly Overload[] = [
  overload(INDEX, 'index_list', '(list(A), int) -> A', from(list, any)(index)),
  overload(INDEX, 'index_map', '(map(A, B), A) -> B', from(map, any)(lookUp)),
  longOverload(IN, 'in_list', '(A, list(A)) -> bool', {
    isLong: comparesNested,
    steps: from(any, list)((wanted, values) => contains(values, wanted)),
  }),
  overload(
    IN,
    'in_map',
    '(A, map(A, B)) -> bool',
    from(any, map)((key, values) => values.has(key)),
  ),
  ...SIZES.flatMap(([id, type, implementation]) => [
    overload('size', `size_${id}`, `(${type}) -> int`, implementation),
    overload('size', `${id}_size`, `${type}.() -> int`, implementation),
  ]),
  overload(MAP_INSERT, '@mapInsert_map_key_value', '(map(A, B), A, B) -> map(A, B)', from(map, any, any)(insert)),
  longOverload(MAP_INSERT, '@mapInsert_map_map', '(map(A, B), map(A, B)) -> map(A, B)', {
    isLong: () => true,
    steps: from(map, map)(insertAll),
  }),
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

/** About a millisecond of insertions. */
const ENTRIES_PER_STEP = 2000;

function* insertAll(values: MapValue, more: MapValue): Steps<MapValue> {
  const shared = sharedBy(values);
  const pace = new Pace(ENTRIES_PER_STEP);
  for (const key of more.keys()) {
    shared.add(key, more.get(key) ?? null);
    if (pace.endsStep()) yield;
  }
  return new ExtendedMap(shared);
}

function insert(values: MapValue, key: Value, value: Value): MapValue {
  const shared = sharedBy(values);
  shared.add(key, value);
  return new ExtendedMap(shared);
}

/**
 * A comprehension builds its map one entry at a time. The maps share one array of entries, and each sees those up to
 * its own.
 */
class SharedEntries {
  readonly keys: Value[] = [];
  readonly entries = new Map<MapKey, { readonly value: Value; readonly order: number }>();

  /** Throws if the key exists. */
  add(key: Value, value: Value): void {
    const plain = mapKey(key);
    if (plain === undefined) throw new EvaluationError(`unsupported key type: ${displayValue(key)}`);
    if (this.entries.has(plain)) {
      throw new EvaluationError(`insert failed: key ${displayValue(key)} already exists`);
    }
    this.entries.set(plain, { value, order: this.keys.push(key) - 1 });
  }
}

class ExtendedMap extends MapValue {
  readonly shared: SharedEntries;

  constructor(shared: SharedEntries) {
    const size = shared.keys.length;
    super({
      size,
      get(wanted) {
        const entry = shared.entries.get(wanted);
        return entry !== undefined && entry.order < size ? entry.value : undefined;
      },
      keys: () => shared.keys.slice(0, size),
    });
    this.shared = shared;
  }
}

/** The entries that a longer map can share. Only the longest map can grow in place; growing any other copies. */
function sharedBy(values: MapValue): SharedEntries {
  if (values instanceof ExtendedMap && values.shared.keys.length === values.size) return values.shared;
  const copy = new SharedEntries();
  for (const key of values.keys()) copy.add(key, values.get(key) ?? null);
  return copy;
}
