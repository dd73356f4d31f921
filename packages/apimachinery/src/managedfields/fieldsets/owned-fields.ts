import { compareUtf8 } from '../../json/index.js';
import type { FieldSchema, StructSchema } from '../../schema/index.js';
import { fieldElement, type PathElement } from './path-element.js';

/** A field of a struct, and its path element: one text for all objects, which a set finds faster than a new one. */
export interface OwnedField {
  readonly element: PathElement;
  readonly field: FieldSchema;
}

const known = new WeakMap<StructSchema, readonly OwnedField[]>();

/** The fields of a struct in the order of their elements, so that sets made in this order are sorted. */
export function ownedFields(type: StructSchema): readonly OwnedField[] {
  let fields = known.get(type);
  if (fields === undefined) {
    fields = type.fields
      .map((field) => ({ element: fieldElement(field.name), field }))
      .sort((a, b) => compareUtf8(a.element, b.element));
    known.set(type, fields);
  }
  return fields;
}
