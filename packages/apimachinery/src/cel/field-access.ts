import { noSuchKey, noSuchOverload } from './evaluation-error.js';
import { ListValue, MapValue, ObjectValue, OptionalValue, type Value } from './values.js';

/** `target.field`. For an optional, returns an optional, which is empty if the field is absent. */
export function access(target: Value, field: string): Value {
  if (target instanceof OptionalValue) return accessOptional(target, field);
  const found = find(target, field);
  if (found === undefined) throw noSuchKey(field);
  return found;
}

/** `target.?field`. */
export function accessOptional(target: Value, field: string): OptionalValue {
  const inside = target instanceof OptionalValue ? target.value : target;
  if (inside === undefined) return OptionalValue.NONE;
  const found = find(inside, field);
  return found === undefined ? OptionalValue.NONE : new OptionalValue(found);
}

/** `has(target.field)`. */
export function hasField(target: Value, field: string): boolean {
  const inside = target instanceof OptionalValue ? target.value : target;
  if (inside === undefined) return false;
  if (inside instanceof ObjectValue) return inside.has(field);
  return find(inside, field) !== undefined;
}

function find(target: Value, field: string): Value | undefined {
  if (target instanceof MapValue || target instanceof ObjectValue) return target.get(field);
  if (target instanceof ListValue) throw noSuchOverload();
  return undefined;
}
