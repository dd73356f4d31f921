import {
  deepEqual,
  getOwn,
  isLarge,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJsonInSteps,
  setOwn,
} from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import type { Steps } from '../work/index.js';
import { isDropped, valueOf } from './encode.js';
import { encodeTypedInSteps, encodeUntypedInSteps } from './encode-in-steps.js';
import { shownZeros, type StructPlan, structPlan, type ValuePlan } from './encode-plan.js';

/**
 * The document that `encodeTyped` writes, as a value. It shares maps and lists of scalars with the object, so the caller must
 * change neither. A large object is encoded and parsed, which divides the work into steps.
 */
export function* typedDocumentInSteps(object: Readonly<JsonObject>, schema: StructSchema): Steps<JsonObject> {
  if (!isLarge(object)) return structDocument(object, structPlan(schema));
  return yield* parsedInSteps(yield* encodeTypedInSteps(object, schema));
}

/** The document that `encodeUntyped` writes. It shares its members with the object. */
export function* untypedDocumentInSteps(object: Readonly<JsonObject>): Steps<JsonObject> {
  if (!isLarge(object)) return { ...object };
  return yield* parsedInSteps(yield* encodeUntypedInSteps(object));
}

function* parsedInSteps(bytes: Uint8Array): Steps<JsonObject> {
  const { value } = yield* parseJsonInSteps(bytes);
  return isObject(value) ? value : {};
}

function structDocument(object: Readonly<JsonObject>, plan: StructPlan): JsonObject {
  const document: JsonObject = {};
  for (const field of plan.fields) {
    const value = valueOf(object, field);
    if (value === undefined || value === null) {
      if (field.absentText !== '') document[field.name] = getOwn(shownZeros(plan.schema), field.name);
      continue;
    }
    if (isDropped(value, field)) continue;
    const shown = valueDocument(value, field.value);
    const { value: type, droppedText } = field;
    if (droppedText !== undefined && type.form === 'struct' && deepEqual(shown, shownZeros(type.plan.schema))) continue;
    document[field.name] = shown;
  }
  return document;
}

function valueDocument(value: JsonValue, plan: ValuePlan): JsonValue {
  if (value === null) return plan.form === 'struct' ? shownZeros(plan.plan.schema) : zeroOf(plan);
  if (typeof value !== 'object') return value;
  if (plan.form === 'struct' && isObject(value)) return structDocument(value, plan.plan);
  if (plan.form === 'list' && Array.isArray(value)) return listDocument(value, plan.items);
  if (plan.form === 'map' && isObject(value)) return mapDocument(value, plan.values);
  return value;
}

function listDocument(list: JsonValue[], items: ValuePlan): JsonValue[] {
  if (isScalar(items) && list.every((item) => item !== null)) return list;
  return list.map((item) => valueDocument(item, items));
}

function mapDocument(map: JsonObject, values: ValuePlan): JsonObject {
  if (isScalar(values) && !hasNull(map)) return map;
  const document: JsonObject = {};
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value !== undefined) setOwn(document, key, valueDocument(value, values));
  }
  return document;
}

function isScalar({ form }: ValuePlan): boolean {
  return form === 'scalar' || form === 'intOrString';
}

function hasNull(map: JsonObject): boolean {
  for (const key in map) if (map[key] === null) return true;
  return false;
}

function zeroOf({ zeroText }: ValuePlan): JsonValue {
  return JSON.parse(zeroText) as JsonValue;
}
