import {
  encodeJsonInSteps,
  isLarge,
  isObject,
  type JsonObject,
  type JsonValue,
  type JsonWriter,
  writeJsonBytesInSteps,
  writeJsonInSteps,
  writeListInSteps,
  writeMapInSteps,
} from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import type { Steps } from '../work/index.js';
import { encodeTyped, isDropped, valueOf, writeField, writeValue, wroteDropped } from './encode.js';
import { type FieldPlan, type StructPlan, structPlan, type ValuePlan } from './encode-plan.js';

/** `encodeTyped` in steps, for objects that may be large. */
export function* encodeTypedInSteps(object: Readonly<JsonObject>, schema: StructSchema): Steps<Uint8Array> {
  if (!isLarge(object)) return encodeTyped(object, schema);
  yield;
  return yield* writeJsonBytesInSteps((writer) => writeStruct(writer, object, structPlan(schema)));
}

/** `encodeUntyped` in steps, for objects that may be large. */
export function encodeUntypedInSteps(value: JsonValue): Steps<Uint8Array> {
  return encodeJsonInSteps(value, { sortKeys: true });
}

function* writeStruct(writer: JsonWriter, object: Readonly<JsonObject>, plan: StructPlan): Steps<void> {
  let first = true;
  for (const field of plan.fields) {
    const value = valueOf(object, field);
    const isWritten = isLarge(value)
      ? yield* writeLargeField(writer, value ?? null, field, first)
      : writeField(writer, value, field, first);
    if (isWritten) first = false;
  }
  writer.ascii(first ? '{}' : '}');
}

/** Returns whether the field was written. Each look at the keys of a large map takes a step of its own. */
function* writeLargeField(writer: JsonWriter, value: JsonValue, field: FieldPlan, first: boolean): Steps<boolean> {
  yield;
  if (isDropped(value, field)) return false;
  yield;
  const start = writer.position;
  writer.ascii(first ? field.first : field.next);
  const valueStart = writer.position;
  yield* writeParts(writer, value, field.value);
  if (!wroteDropped(writer, valueStart, field)) return true;
  writer.rewind(start);
  return false;
}

/** Writes small parts as a whole. */
function* writeParts(writer: JsonWriter, value: JsonValue, plan: ValuePlan): Steps<void> {
  if (!isLarge(value)) writeValue(writer, value, plan);
  else if (plan.form === 'struct' && isObject(value)) yield* writeStruct(writer, value, plan.plan);
  else if (plan.form === 'list' && Array.isArray(value)) {
    yield* writeListInSteps(writer, value, (item) => writeParts(writer, item, plan.items));
  } else if (plan.form === 'map' && isObject(value)) {
    yield* writeMapInSteps(writer, value, true, (item) => writeParts(writer, item, plan.values));
  } else yield* writeJsonInSteps(writer, value, false);
  if (writer.endsStep()) yield;
}
