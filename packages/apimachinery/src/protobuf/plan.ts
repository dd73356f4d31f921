import type { JsonObject } from '../json/index.js';
import type { FieldSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { schemaUnions } from '../serializer/index.js';
import { partsSchema, type SpecialForm } from './special.js';
import { DELIMITED, FIXED64, tagOf, VARINT, type WireType } from './wire-type.js';

export type PlainForm = 'string' | 'boolean' | 'int32' | 'int64' | 'double' | 'bytes';
/** `json`: any JSON value, carried as text in field 1 of a message. */
export type ValueForm = PlainForm | SpecialForm | 'json' | 'struct' | 'list' | 'map';

/** Properties that only some forms have. */
interface ValueParts {
  readonly items?: ValuePlan;
  readonly itemTag?: number;
  readonly schema?: ValuePlan;
  readonly struct?: () => StructSchema;
}

/**
 * How values of one type are encoded. Built once for each schema, and shared. One class serves all forms: codecs check
 * the form of every value, and the engine is fast when all objects have the same shape.
 */
export class ValuePlan {
  readonly form: ValueForm;
  readonly wireType: WireType;
  /**
   * The tag before a value of a map or a wrapped item of a list; otherwise 0. Map entries are messages of a key, field
   * 1, and a value, field 2.
   */
  readonly itemTag: number;
  readonly #items: ValuePlan | undefined;
  readonly #schema: ValuePlan | undefined;
  readonly #struct: (() => StructSchema) | undefined;
  #message: MessagePlan | undefined = undefined;

  constructor(form: ValueForm, wireType: WireType, { items, itemTag = 0, schema, struct }: ValueParts = {}) {
    this.form = form;
    this.wireType = wireType;
    this.itemTag = itemTag;
    this.#items = items;
    this.#schema = schema;
    this.#struct = struct;
  }

  /** The items of a list or the values of a map. */
  get items(): ValuePlan {
    return this.#items ?? this.#missing();
  }

  /** The JSON schema in a union with a simpler form. If that form is a list, {@link items} are its items. */
  get schema(): ValuePlan {
    return this.#schema ?? this.#missing();
  }

  get holdsSchema(): boolean {
    return this.#schema !== undefined;
  }

  /** The message of a struct or a special form. Resolved on first use, because types may be recursive. */
  get message(): MessagePlan {
    this.#message ??= messagePlan(this.#struct?.() ?? this.#missing());
    return this.#message;
  }

  #missing(): never {
    throw new TypeError(`a plan of form ${this.form} does not have that`);
  }
}

/** A field of a message that holds a value of the object. */
export interface ValueField {
  readonly number: number;
  readonly tag: number;
  /** JSON name. */
  readonly name: string;
  /** The text before the value in JSON: `"name":`. */
  readonly key: Uint8Array;
  /** The index in the schema's fields. */
  readonly position: number;
  /** Go's name, derived from the JSON name, for errors. */
  readonly goName: string;
  readonly schema: ValueSchema;
  readonly value: ValuePlan;
  readonly pointer: boolean;
  /** Written even if absent, as the zero value. */
  readonly always: boolean;
  /** The bytes then written, including the tag. The encoder fills it in. */
  zero: Uint8Array | undefined;
  readonly within: undefined;
}

/** A field with a message whose fields belong to the object itself, so JSON does not nest it. */
export interface WithinField {
  readonly number: number;
  readonly tag: number;
  readonly goName: string;
  readonly within: MessagePlan;
}

export interface MessagePlan {
  /** The struct of the message or of its outermost enclosing message. */
  readonly schema: StructSchema;
  /** Go's name, for errors. */
  readonly name: string;
  /** By ascending number. */
  readonly fields: readonly (ValueField | WithinField)[];
  readonly byNumber: readonly (ValueField | WithinField | undefined)[];
  /** JSON names in Go's order. */
  readonly names: readonly string[];
  /** By {@link ValueField.position}: the fields of the message and of messages nested in it. */
  readonly members: readonly (ValueField | undefined)[];
  /** The fields that JSON shows for an empty object. The decoder fills it in. */
  shownZeros: Readonly<JsonObject> | undefined;
}

const plans = new WeakMap<StructSchema, MessagePlan>();

export function messagePlan(schema: StructSchema): MessagePlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = planOf(schema, schema.fields, 0);
    plans.set(schema, plan);
  }
  return plan;
}

/** The message of the `members` nested `depth` messages deep. */
function planOf(owner: StructSchema, members: readonly FieldSchema[], depth: number): MessagePlan {
  const fields: (ValueField | WithinField)[] = [];
  const inner = new Map<number, FieldSchema[]>();
  for (const member of members) {
    if (member.protobuf === undefined) continue;
    const within = member.protobufWithin?.[depth];
    if (within === undefined) fields.push(valueField(owner, member, member.protobuf));
    else inner.set(within, [...(inner.get(within) ?? []), member]);
  }
  for (const [number, within] of inner) {
    const goName = within[0]?.goEmbedded?.split('.')[depth] ?? owner.goName;
    fields.push({ number, tag: tagOf(number, DELIMITED), goName, within: planOf(owner, within, depth + 1) });
  }
  fields.sort((a, b) => a.number - b.number);
  const byNumber: (ValueField | WithinField | undefined)[] = [];
  for (const field of fields) {
    while (byNumber.length < field.number) byNumber.push(undefined);
    byNumber[field.number] = field;
  }
  const names = members.map((member) => member.name);
  const plan = { schema: owner, name: owner.goName, fields, byNumber, names, members: membersOf(owner, fields) };
  return { ...plan, shownZeros: undefined };
}

function membersOf(owner: StructSchema, fields: readonly (ValueField | WithinField)[]): (ValueField | undefined)[] {
  const members: (ValueField | undefined)[] = owner.fields.map(() => undefined);
  for (const field of fields) {
    for (const member of field.within === undefined ? [field] : field.within.members) {
      if (member !== undefined) members[member.position] = member;
    }
  }
  return members;
}

function valueField(owner: StructSchema, field: FieldSchema, number: number): ValueField {
  const value = valuePlan(field.value, owner);
  return {
    number,
    tag: tagOf(number, value.wireType),
    name: field.name,
    key: Buffer.from(`"${field.name}":`),
    position: owner.fields.indexOf(field),
    goName: field.name.charAt(0).toUpperCase() + field.name.slice(1),
    schema: field.value,
    value,
    pointer: field.pointer,
    always: !field.pointer && value.form !== 'list' && value.form !== 'map' && value.form !== 'bytes',
    zero: undefined,
    within: undefined,
  };
}

function valuePlan(schema: ValueSchema, owner: StructSchema): ValuePlan {
  switch (schema.kind) {
    case 'struct':
      return new ValuePlan('struct', DELIMITED, { struct: () => schema.type });
    case 'list': {
      const items = valuePlan(schema.items, owner);
      if (schema.protobufWrapped !== true) return new ValuePlan('list', items.wireType, { items });
      return new ValuePlan('list', DELIMITED, { items, itemTag: tagOf(1, items.wireType) });
    }
    case 'map': {
      const items = valuePlan(schema.values, owner);
      return new ValuePlan('map', DELIMITED, { items, itemTag: tagOf(2, items.wireType) });
    }
    case 'string':
    case 'bytes':
      return new ValuePlan(schema.kind, DELIMITED);
    case 'boolean':
      return new ValuePlan('boolean', VARINT);
    case 'integer':
      return new ValuePlan(schema.bits === 32 ? 'int32' : 'int64', VARINT);
    case 'number':
      return new ValuePlan('double', FIXED64);
    case 'any': {
      const form = schemaUnions.get(schema.goType);
      return form === undefined ? new ValuePlan('json', DELIMITED) : schemaPlan(form, owner);
    }
    default: {
      const form = schema.kind;
      return new ValuePlan(form, DELIMITED, { struct: () => partsSchema(form, owner) });
    }
  }
}

/** A union of a JSON schema, which has the owner's type, and a simpler form. */
function schemaPlan(form: SpecialForm, owner: StructSchema): ValuePlan {
  const schema = new ValuePlan('struct', DELIMITED, { struct: () => owner });
  const items = form === 'schemaOrStrings' ? new ValuePlan('string', DELIMITED) : schema;
  return new ValuePlan(form, DELIMITED, { schema, items, struct: () => partsSchema(form, owner) });
}
