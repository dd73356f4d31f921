import {
  deepEqual,
  getOwn,
  hasNoKeys,
  isLarge,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
} from '../../json/index.js';
import type { FieldSchema, ListSchema, StructSchema } from '../../schema/index.js';
import { finish, Pace, type Steps, type WorkBudget } from '../../work/index.js';
import { equalValues } from './equality.js';
import { type FieldSet, FieldSetBuilder } from '../fieldsets/field-set.js';
import { type OwnedField, ownedFields } from '../fieldsets/owned-fields.js';
import { fieldElement, type PathElement } from '../fieldsets/path-element.js';
import { isEmptyStruct, type Presence, presentValue, unknownFields } from './presence.js';
import { type GranularSchema, granular, indexItemsInSteps, type OwnedSchema } from './structure.js';

/** The differences between two objects. The three sets are disjoint. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Throws 413 if the changes exceed the budget. Upstream: structured-merge-diff `TypedValue.Compare`. */
export function compareObjects(
  before: JsonObject,
  after: JsonObject,
  schema: StructSchema,
  presence: Presence = presentValue,
  budget?: WorkBudget,
): Comparison {
  return finish(compareInSteps(before, after, schema, presence, budget));
}

/** {@link compareObjects} in steps of some fields, keys and items. */
export function* compareInSteps(
  before: JsonObject,
  after: JsonObject,
  schema: StructSchema,
  presence: Presence = presentValue,
  budget?: WorkBudget,
): Steps<Comparison> {
  const walker = new CompareWalker(presence, budget);
  yield* walker.object(schema, before, after);
  return { added: walker.added.build(), modified: walker.modified.build(), removed: walker.removed.build() };
}

export function isUnchanged(comparison: Comparison): boolean {
  return comparison.added.isEmpty && comparison.modified.isEmpty && comparison.removed.isEmpty;
}

/** Less than a millisecond of work. */
const PARTS_PER_STEP = 200;

/** Undefined means absent; null is a value. */
type Side = JsonValue | undefined;

class CompareWalker {
  readonly added: FieldSetBuilder;
  readonly modified: FieldSetBuilder;
  readonly removed: FieldSetBuilder;
  #path: PathElement[] = [];
  /** Maps and lists found whose parts have not been compared yet, each with its path. */
  readonly #unopened: { readonly path: PathElement[]; readonly parts: Steps<void> }[] = [];
  readonly #presence: Presence;
  readonly #pace = new Pace(PARTS_PER_STEP);

  constructor(presence: Presence, budget: WorkBudget | undefined) {
    this.added = new FieldSetBuilder(budget);
    this.modified = new FieldSetBuilder(budget);
    this.removed = new FieldSetBuilder(budget);
    this.#presence = presence;
  }

  /**
   * Compares the whole object in steps. Listing the keys of a large map is slow, and every look at one may do so:
   * each is a step of its own.
   */
  *object(type: StructSchema, before: JsonObject, after: JsonObject): Steps<void> {
    for (const { element, field } of ownedFields(type)) {
      const isMap = field.value.kind === 'map';
      const left = this.#presence(before, field);
      if (isMap) yield;
      const right = this.#presence(after, field);
      if (isMap) yield;
      if (yield* mayDiffer(left, right)) this.#compare(element, field.value, left, right, field);
      if (isMap) yield;
      yield* this.#open(0);
      yield;
    }
    this.#unknown(type, before, after);
    yield* this.#open(0);
  }

  /** Compares the parts of the maps and lists found, until only `others` of them remain. */
  *#open(others: number): Steps<void> {
    const outer = this.#path;
    while (this.#unopened.length > others) {
      const next = this.#unopened.pop();
      if (next === undefined) return;
      this.#path = next.path;
      yield* next.parts;
    }
    this.#path = outer;
  }

  #structs(type: StructSchema, before: JsonObject, after: JsonObject): void {
    for (const field of ownedFields(type)) this.#field(field, before, after);
    this.#unknown(type, before, after);
  }

  #field({ element, field }: OwnedField, before: JsonObject, after: JsonObject): void {
    const left = this.#presence(before, field);
    const right = this.#presence(after, field);
    if (left !== right) this.#compare(element, field.value, left, right, field);
  }

  #unknown(type: StructSchema, before: JsonObject, after: JsonObject): void {
    const names = [...unknownFields(before, type), ...unknownFields(after, type)];
    if (names.length === 0) return;
    for (const name of new Set(names)) {
      this.#compare(fieldElement(name), 'unknown', getOwn(before, name), getOwn(after, name));
    }
  }

  #compare(element: PathElement, schema: OwnedSchema, before: Side, after: Side, field?: FieldSchema): void {
    if (before === after) return;
    this.#path.push(element);
    const leaf = this.#descend(schema, before, after, field);
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (leaf && !equalValues(schema, before, after, this.#presence)) this.modified.insert(this.#path);
    this.#path.pop();
  }

  /** Compares the parts of a value. Returns true if it has none to compare, because it is a leaf. */
  #descend(schema: OwnedSchema, before: Side, after: Side, field: FieldSchema | undefined): boolean {
    const left = structureOf(schema, before, field);
    const right = structureOf(schema, after, field);
    const structure = after === undefined ? left : right;
    if (structure === undefined) {
      // A value without a schema may change from an object to a scalar: its parts are removed and the scalar is added.
      if (left === undefined || after === undefined) return true;
      this.#parts(left, before, undefined);
      // Null matches any structure. If it was an object, its parts are removed and nothing else.
      return after !== null || this.#isEmpty(left, before);
    }
    if (this.#isEmpty(structure, before) && this.#isEmpty(structure, after)) return true;
    if (left === undefined && before !== undefined && before !== null) {
      this.modified.insert(this.#path);
      this.#parts(structure, undefined, after);
      return false;
    }
    this.#parts(structure, before, after);
    return false;
  }

  #parts(structure: GranularSchema, before: Side, after: Side): void {
    switch (structure.kind) {
      case 'struct':
        this.#structParts(structure.struct.type, before, after);
        break;
      case 'map':
        this.#later(this.#mapParts(structure.values, before, after));
        break;
      case 'unknown':
        this.#later(this.#mapParts('unknown', before, after));
        break;
      case 'list':
        this.#later(this.#listParts(structure.list, before ?? null, after ?? null));
        break;
    }
  }

  #later(parts: Steps<void>): void {
    this.#unopened.push({ path: [...this.#path], parts });
  }

  #structParts(type: StructSchema, before: Side, after: Side): void {
    if (isObject(before) && isObject(after)) {
      this.#structs(type, before, after);
      return;
    }
    const present = isObject(after) ? after : before;
    if (!isObject(present)) return;
    for (const { element, field } of ownedFields(type)) {
      const value = this.#presence(present, field);
      if (value !== undefined) this.#oneSided(element, field.value, value, present === after, field);
    }
    for (const name of unknownFields(present, type)) {
      this.#oneSided(fieldElement(name), 'unknown', present[name] ?? null, present === after);
    }
  }

  #oneSided(element: PathElement, schema: OwnedSchema, value: JsonValue, isAfter: boolean, field?: FieldSchema): void {
    this.#compare(element, schema, isAfter ? undefined : value, isAfter ? value : undefined, field);
  }

  *#mapParts(values: OwnedSchema, before: Side, after: Side): Steps<void> {
    const others = this.#unopened.length;
    const keys = isObject(before) ? yield* keysInSteps(before) : [];
    for (const key of keys) {
      this.#compare(fieldElement(key), values, getSide(before, key), getSide(after, key));
      if (this.#unopened.length > others) yield* this.#open(others);
      if (this.#pace.endsStep()) yield;
    }
    const newKeys = isObject(after) ? yield* keysInSteps(after) : [];
    for (const key of newKeys) {
      if (this.#pace.endsStep()) yield;
      if (getSide(before, key) !== undefined) continue;
      this.#compare(fieldElement(key), values, undefined, getSide(after, key));
      if (this.#unopened.length > others) yield* this.#open(others);
    }
  }

  *#listParts(list: ListSchema, before: JsonValue, after: JsonValue): Steps<void> {
    const others = this.#unopened.length;
    const left = yield* indexItemsInSteps(list, before, this.#presence);
    const right = yield* indexItemsInSteps(list, after, this.#presence);
    for (const [element, items] of left) {
      this.#listItem(list, element, items, right.get(element) ?? []);
      if (this.#unopened.length > others) yield* this.#open(others);
      if (this.#pace.endsStep()) yield;
    }
    for (const [element, items] of right) {
      if (left.has(element)) continue;
      this.#listItem(list, element, [], items);
      if (this.#unopened.length > others) yield* this.#open(others);
      if (this.#pace.endsStep()) yield;
    }
  }

  /** Duplicate items are compared as one value and marked only by their path element. */
  #listItem(list: ListSchema, element: PathElement, before: readonly JsonValue[], after: readonly JsonValue[]): void {
    if (before.length <= 1 && after.length <= 1) {
      this.#compare(element, list.items, before[0], after[0]);
      return;
    }
    const path = [...this.#path, element];
    if (before.length >= 2 && after.length >= 2) {
      const same = before.length === after.length;
      if (
        !same ||
        !before.every((item, index) => equalValues(list.items, item, after[index] ?? null, this.#presence))
      ) {
        this.modified.insert(path);
      }
    } else if (before.length >= 2) {
      this.#compare(element, list.items, undefined, after[0]);
      this.removed.insert(path);
    } else {
      this.#compare(element, list.items, before[0], undefined);
      this.added.insert(path);
    }
  }

  #isEmpty(structure: GranularSchema, value: Side): boolean {
    if (value === undefined || value === null) return true;
    if (Array.isArray(value)) return value.length === 0;
    if (!isObject(value)) return false;
    return structure.kind === 'struct' ? isEmptyStruct(value, structure.struct.type, this.#presence) : hasNoKeys(value);
  }
}

/**
 * Most updates change one of the parts of an object. To find that another is equal costs less than its comparison by schema.
 * A large value may differ, and gets a step of its own.
 */
function* mayDiffer(left: Side, right: Side): Steps<boolean> {
  if (left === right) return false;
  for (const side of [left, right]) {
    if (!isLarge(side)) continue;
    yield;
    return true;
  }
  return !deepEqual(left, right);
}

function getSide(side: Side, key: string): Side {
  return isObject(side) ? getOwn(side, key) : undefined;
}

function structureOf(schema: OwnedSchema, value: Side, field: FieldSchema | undefined): GranularSchema | undefined {
  return value === undefined ? undefined : granular(schema, value, field);
}
