import type { Steps } from '../work/index.js';

/**
 * A value in an expression. `int` is a bigint, `double` a number, `bytes` a Uint8Array; strings, booleans and null are
 * JavaScript's. Immutable.
 */
export type Value =
  | bigint
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | UnsignedInteger
  | ListValue
  | MapValue
  | ObjectValue
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue
  | OpaqueValue;

export class UnsignedInteger {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Items may be created on demand. */
export interface ListSource {
  readonly size: number;
  /** `index` is within the list. */
  at(index: number): Value;
}

export class ListValue {
  readonly #source: ListSource;
  /** The items of a list in memory. */
  #held: readonly Value[] | undefined;
  /** The items of an extended list. Longer lists share them, and each sees as many as its size. */
  #extended: Value[] | undefined;

  constructor(source: ListSource) {
    this.#source = source;
  }

  static of(items: readonly Value[]): ListValue {
    const list = new ListValue({ size: items.length, at: (index) => items[index] ?? null });
    list.#held = items;
    return list;
  }

  get size(): number {
    return this.#source.size;
  }

  at(index: number): Value {
    return this.#source.at(index);
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }

  /**
   * Overridden by lists with their own equality. Undefined means item by item, in order. Called on the left operand.
   */
  equals(_other: ListValue): boolean | undefined {
    return undefined;
  }

  /** Implements `+` without copying. */
  concat(other: ListValue): ListValue {
    const first = this.size;
    const [only] = other.#held ?? [];
    if (only !== undefined && other.size === 1) {
      // A comprehension extends its list by one item at a time. Only the longest list can share its items.
      if (first === 0) return ListValue.#extend([], only);
      if (this.#extended?.length === first) return ListValue.#extend(this.#extended, only);
    }
    return new ListValue({
      size: first + other.size,
      at: (index) => (index < first ? this.at(index) : other.at(index - first)),
    });
  }

  static #extend(items: Value[], item: Value): ListValue {
    const size = items.push(item);
    const list = new ListValue({ size, at: (index) => items[index] ?? null });
    list.#extended = items;
    return list;
  }
}

/** The key in a JavaScript Map: equal numbers are one key, whatever their type. */
export type MapKey = bigint | number | string | boolean;

/** Entries may be created on demand. Keys are those of `mapKey`. */
export interface MapSource {
  readonly size: number;
  get(key: MapKey): Value | undefined;
  /** For `in`, where reading an absent key gives a default. Absent: a key without a value is not in the map. */
  has?(key: MapKey): boolean;
  keys(): Iterable<Value>;
  /** The same keys in any order. Absent: ordering them is cheap. */
  unorderedKeys?(): Iterable<Value>;
  /** Orders the keys, so that `keys` is quick. Undefined if that takes no longer than a step. */
  keysInSteps?(): Steps<Iterable<Value>> | undefined;
  /** Computes an entry, so that `get` is quick. Absent: it always is. */
  prepare?(key: MapKey): Steps<void>;
}

export class MapValue {
  readonly #source: MapSource;

  constructor(source: MapSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#source.size;
  }

  /** `undefined`: no such key. */
  get(key: Value): Value | undefined {
    const plain = mapKey(key);
    return plain === undefined ? undefined : this.#source.get(plain);
  }

  has(key: Value): boolean {
    const plain = mapKey(key);
    if (plain === undefined) return false;
    return this.#source.has?.(plain) ?? this.#source.get(plain) !== undefined;
  }

  /** Computes an entry that may take long, so that {@link get} is quick. */
  *prepare(key: MapKey): Steps<void> {
    const steps = this.#source.prepare?.(key);
    if (steps !== undefined) yield* steps;
  }

  /** In a stable order. */
  keys(): Iterable<Value> {
    return this.#source.keys();
  }

  unorderedKeys(): Iterable<Value> {
    return this.#source.unorderedKeys?.() ?? this.#source.keys();
  }

  /** Undefined if {@link keys} takes no longer than a step. */
  keysInSteps(): Steps<Iterable<Value>> | undefined {
    return this.#source.keysInSteps?.();
  }

  /** Overridden by maps with their own equality. Undefined means entry by entry. Called on the left operand. */
  equals(_other: MapValue): boolean | undefined {
    return undefined;
  }
}

/** An object with fields of known types. */
export abstract class ObjectValue {
  abstract readonly typeName: string;
  /** `undefined`: not set. If types are known, only fields of the type are read. */
  abstract get(field: string): Value | undefined;
  abstract has(field: string): boolean;
  /** The names of the fields that are set. */
  abstract fields(): Iterable<string>;
}

/** An object that an expression constructs, with the fields that it names. */
export class MessageValue extends ObjectValue {
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.#fields = fields;
  }

  get(field: string): Value | undefined {
    return this.#fields.get(field);
  }

  has(field: string): boolean {
    return this.#fields.has(field);
  }

  fields(): Iterable<string> {
    return this.#fields.keys();
  }
}

/** A point in time, in nanoseconds since the epoch. */
export class Timestamp {
  readonly nanoseconds: bigint;
  /** The offset of the zone in which it is shown, in seconds east of UTC. */
  readonly offset: number;

  constructor(nanoseconds: bigint, offset = 0) {
    this.nanoseconds = nanoseconds;
    this.offset = offset;
  }
}

export class Duration {
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export class OptionalValue {
  static readonly NONE = new OptionalValue(undefined);
  /** `undefined`: empty. */
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A library value, which only its own functions interpret. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;

  /** The characters that its functions may read; 0 for a small value. */
  get size(): number {
    return 0;
  }
}

/** `undefined` for a value that cannot be a key. */
export function mapKey(value: Value): MapKey | undefined {
  if (value instanceof UnsignedInteger) return value.value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'object') return undefined;
  return value;
}

/** A map of the given entries. Later entries of a key replace earlier ones. */
export function mapOfEntries(entries: Iterable<readonly [Value, Value]>): MapValue {
  const keys = new Map<MapKey, Value>();
  const values = new Map<MapKey, Value>();
  for (const [key, value] of entries) {
    const plain = mapKey(key);
    if (plain === undefined) continue;
    keys.set(plain, key);
    values.set(plain, value);
  }
  return new MapValue({ size: keys.size, get: (key) => values.get(key), keys: () => keys.values() });
}

/** The type name that `type(value)` prints. */
export function typeNameOf(value: Value): string {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'null_type';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof UnsignedInteger) return 'uint';
  if (value instanceof ListValue) return 'list';
  if (value instanceof MapValue) return 'map';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof OptionalValue) return 'optional_type';
  return value.typeName;
}
