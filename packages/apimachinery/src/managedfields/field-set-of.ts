import { isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { FieldSchema, ListSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { type FieldSet, FieldSetBuilder } from './field-set.js';
import { fieldElement, type PathElement } from './path-element.js';
import { isEmptyStruct, type Presence, presentValue, unknownFields } from './presence.js';
import { granular, indexItems, type OwnedSchema } from './structure.js';

/**
 * The fields that an object sets: its leaves, and the items of its granular maps and lists. Nothing is stripped.
 * Upstream: structured-merge-diff `TypedValue.ToFieldSet`.
 */
export function fieldSetOf(object: JsonObject, schema: StructSchema, presence: Presence = presentValue): FieldSet {
  const walker = new FieldSetWalker(presence);
  walker.struct(schema, object);
  return walker.set.build();
}

class FieldSetWalker {
  readonly set = new FieldSetBuilder();
  readonly #path: PathElement[] = [];
  readonly #presence: Presence;

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  struct(type: StructSchema, object: JsonObject): void {
    for (const field of type.fields) {
      const value = this.#presence(object, field);
      if (value === undefined) continue;
      this.#path.push(fieldElement(field.name));
      this.#value(field.value, value, field);
      if (value === null || this.#isEmptyObject(field.value, value)) this.#insert();
      this.#path.pop();
    }
    for (const name of unknownFields(object, type)) this.#item(fieldElement(name), 'unknown', object[name] ?? null);
  }

  #value(schema: OwnedSchema, value: JsonValue, field?: FieldSchema): void {
    const structure = granular(schema, value, field);
    switch (structure?.kind) {
      case undefined:
        this.#insert();
        break;
      case 'struct':
        if (isObject(value)) this.struct(structure.struct.type, value);
        break;
      case 'map':
        this.#items(structure.values, value);
        break;
      case 'unknown':
        this.#items('unknown', value);
        break;
      case 'list':
        this.#list(structure.list, value);
        break;
    }
  }

  #items(schema: OwnedSchema, value: JsonValue): void {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item !== undefined) this.#item(fieldElement(key), schema, item);
    }
  }

  /** Items that occur twice are owned as one, without what is in them. */
  #list(list: ListSchema, value: JsonValue): void {
    for (const [element, items] of indexItems(list, value, this.#presence)) {
      const [item] = items;
      if (items.length === 1 && item !== undefined) {
        this.#item(element, list.items, item);
        continue;
      }
      this.#path.push(element);
      this.#insert();
      this.#path.pop();
    }
  }

  #item(element: PathElement, schema: OwnedSchema, value: JsonValue): void {
    this.#path.push(element);
    this.#value(schema, value);
    this.#insert();
    this.#path.pop();
  }

  #insert(): void {
    this.set.insert(this.#path);
  }

  #isEmptyObject(schema: ValueSchema, value: JsonValue): boolean {
    if (!isObject(value)) return false;
    return schema.kind === 'struct'
      ? isEmptyStruct(value, schema.type, this.#presence)
      : Object.keys(value).length === 0;
  }
}
