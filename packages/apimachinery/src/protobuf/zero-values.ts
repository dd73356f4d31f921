import { deepCopy, getOwn, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { isZeroValue } from '../schema/index.js';
import { shownZeros } from '../serializer/index.js';
import type { MessagePlan, ValueField, ValuePlan } from './plan.js';
import { joinParts } from './special.js';

/** Sets the field unless the value is zero; returns whether it did. */
export function keepUnlessZero(
  object: JsonObject,
  { name, pointer, schema }: ValueField,
  value: JsonValue | undefined,
): boolean {
  if (value !== undefined && (pointer || !isZeroValue(value, schema))) {
    setOwn(object, name, value);
    return true;
  }
  if (object[name] !== undefined) delete object[name];
  return false;
}

/** Sets the absent fields that JSON shows with their zero values. */
export function addZeros(object: JsonObject, plan: MessagePlan): void {
  plan.shownZeros ??= shownZeros(plan.schema);
  for (const name in plan.shownZeros) {
    const zero = plan.shownZeros[name];
    if (zero !== undefined && getOwn(object, name) === undefined) setOwn(object, name, deepCopy(zero));
  }
}

/** The value of a map entry without a value. */
export function zeroOf(plan: ValuePlan): JsonValue {
  switch (plan.form) {
    case 'string':
    case 'bytes':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    case 'struct':
      return {};
    case 'json':
    case 'list':
    case 'map':
      return null;
    default:
      return joinParts(plan.form, {}, false) ?? null;
  }
}
