import type { Steps } from '../../work/index.js';
import { equal, visitsEndStep } from '../equality.js';
import { parameterOf, type Type, type TypeKind } from '../types.js';
import { ListValue, type Value } from '../values.js';

const NESTED: ReadonlySet<TypeKind> = new Set(['dyn', 'error', 'list', 'map', 'object', 'opaque', 'parameter']);

/** Whether a function over `A` and `list(A)` may compare lists, maps or objects. Comparing scalars never takes long. */
export function comparesNested(types: readonly Type[], declared: readonly Type[]): boolean {
  return types.every((type, index) => {
    const compared = declared[index]?.kind === 'list' ? parameterOf(type, 0) : type;
    return NESTED.has(compared.kind);
  });
}

/** The index of the first item that equals a value; -1 if none does. */
export function* firstEqual(values: ListValue, wanted: Value): Steps<number> {
  for (let index = 0; index < values.size; index++) {
    if (visitsEndStep()) yield;
    if (equal(values.at(index), wanted)) return index;
  }
  return -1;
}

/** The index of the last item that equals a value; -1 if none does. */
export function* lastEqual(values: ListValue, wanted: Value): Steps<number> {
  for (let index = values.size - 1; index >= 0; index--) {
    if (visitsEndStep()) yield;
    if (equal(values.at(index), wanted)) return index;
  }
  return -1;
}

export function* contains(values: ListValue, wanted: Value): Steps<boolean> {
  return (yield* firstEqual(values, wanted)) >= 0;
}

export function* containsAll(values: ListValue, wanted: ListValue): Steps<boolean> {
  for (let index = 0; index < wanted.size; index++) {
    if (!(yield* contains(values, wanted.at(index)))) return false;
  }
  return true;
}

export function* containsAny(values: ListValue, wanted: ListValue): Steps<boolean> {
  for (let index = 0; index < wanted.size; index++) {
    if (yield* contains(values, wanted.at(index))) return true;
  }
  return false;
}

/** The list without items that equal an earlier one. */
export function* distinct(values: ListValue): Steps<ListValue> {
  const found: Value[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (!(yield* contains(ListValue.of(found), value))) found.push(value);
  }
  return ListValue.of(found);
}
