import { isObject, type JsonObject, type JsonValue, keysInSteps, setOwn } from '../../json/index.js';
import type { ListSchema, StructSchema } from '../../schema/index.js';
import { Pace, type Steps } from '../../work/index.js';
import type { FieldSet } from '../fieldsets/field-set.js';
import { fieldElement } from '../fieldsets/path-element.js';
import { writtenValue } from './presence.js';
import { type Below, granular, listElement, type OwnedSchema, schemaBelow } from './structure.js';

/** Less than a millisecond of work. */
const PARTS_PER_STEP = 1000;

/**
 * Removes the members of a set, and everything below them. An object or list that loses its last part stays, empty.
 * Shares unchanged parts with the object. Upstream: structured-merge-diff `TypedValue.RemoveItems`.
 */
export function* removeFields(object: JsonObject, set: FieldSet, type: StructSchema): Steps<JsonObject> {
  if (set.isEmpty) return object;
  return yield* removeFromObject(object, set, { kind: 'struct', type }, new Pace(PARTS_PER_STEP));
}

function* removeFromObject(object: JsonObject, set: FieldSet, schema: OwnedSchema, pace: Pace): Steps<JsonObject> {
  const rest: JsonObject = {};
  for (const name of yield* keysInSteps(object)) {
    if (pace.endsStep()) yield;
    const value = object[name];
    const element = fieldElement(name);
    if (value === undefined || set.hasMember(element)) continue;
    const below = set.below(element);
    const left = below.isEmpty ? value : yield* removeFromValue(value, below, schemaBelow(schema, element), pace);
    setOwn(rest, name, left);
  }
  return rest;
}

function* removeFromValue(value: JsonValue, set: FieldSet, part: Below | undefined, pace: Pace): Steps<JsonValue> {
  if (set.isEmpty || part === undefined) return value;
  const structure = granular(part.schema, value, part.field);
  if (Array.isArray(value)) {
    return structure?.kind === 'list' ? yield* removeFromList(value, set, structure.list, pace) : [];
  }
  if (!isObject(value)) return value;
  return structure === undefined ? {} : yield* removeFromObject(value, set, part.schema, pace);
}

function* removeFromList(items: readonly JsonValue[], set: FieldSet, list: ListSchema, pace: Pace): Steps<JsonValue[]> {
  const rest: JsonValue[] = [];
  for (const item of items) {
    if (pace.endsStep()) yield;
    const element = listElement(list, item, writtenValue);
    if (element === undefined) rest.push(item);
    else if (!set.hasMember(element)) {
      rest.push(yield* removeFromValue(item, set.below(element), { schema: list.items }, pace));
    }
  }
  return rest;
}
