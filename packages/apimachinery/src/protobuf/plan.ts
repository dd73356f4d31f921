import type { JsonObject } from '../json/index.js';
import type { FieldSchema, StructReference, StructSchema, ValueSchema } from '../schema/index.js';
import { partsSchema, schemaForms, type SpecialForm } from './special.js';
import { DELIMITED, FIXED64, tagOf, VARINT, type WireType } from './wire-type.js';

/** How values of one type stand on the wire. Made once for each schema, and shared. */
export type ValuePlan = PlainPlan | JsonPlan | SpecialPlan | StructPlan | ListPlan | MapPlan;

export interface PlainPlan {
  readonly form: 'string' | 'boolean' | 'int32' | 'int64' | 'double' | 'bytes';
  readonly wireType: WireType;
}

/** A type that is a message on the wire and something else in JSON. */
export class SpecialPlan {
  readonly form: SpecialForm;
  readonly wireType = DELIMITED;
  readonly #owner: StructSchema;
  #parts: SpecialParts | undefined = undefined;

  /** Where the form may hold a JSON schema, it holds one of the `owner`'s type. */
  constructor(form: SpecialForm, owner: StructSchema) {
    this.form = form;
    this.#owner = owner;
  }

  get holdsSchema(): boolean {
    return this.form === 'schemaOrBoolean' || this.form === 'schemaOrList' || this.form === 'schemaOrStrings';
  }

  /** The message. */
  get parts(): SpecialParts {
    if (this.#parts === undefined) {
      const schema = partsSchema(this.form, this.#owner);
      this.#parts = { schema, message: messagePlan(schema) };
    }
    return this.#parts;
  }
}

export interface SpecialParts {
  readonly schema: StructSchema;
  readonly message: MessagePlan;
}

/** Any JSON value, which is text in field 1 of a message. */
export interface JsonPlan {
  readonly form: 'json';
  readonly wireType: typeof DELIMITED;
}

/** Resolves its message when first used, since types may hold themselves. */
export class StructPlan {
  readonly form = 'struct';
  readonly wireType = DELIMITED;
  readonly #reference: StructReference;
  #message: MessagePlan | undefined = undefined;

  constructor(reference: StructReference) {
    this.#reference = reference;
  }

  get message(): MessagePlan {
    this.#message ??= messagePlan(this.#reference.type);
    return this.#message;
  }
}

export interface ListPlan {
  readonly form: 'list';
  readonly items: ValuePlan;
  /** Of the items, or of the message around them. */
  readonly wireType: WireType;
  /** The items are field 1 of a message of their own. */
  readonly wrapped: boolean;
}

export interface MapPlan {
  readonly form: 'map';
  readonly values: ValuePlan;
  readonly wireType: typeof DELIMITED;
  /** What stands before a value: entries are messages of a key, field 1, and a value, field 2. */
  readonly valueTag: number;
}

/** A field of a message that holds a value of the object. */
export interface ValueField {
  readonly number: number;
  readonly tag: number;
  /** JSON name. */
  readonly name: string;
  /** Go's name, as far as the JSON name tells: for errors. */
  readonly goName: string;
  readonly schema: ValueSchema;
  readonly value: ValuePlan;
  readonly pointer: boolean;
  /** Is written even when absent, as the zero value. */
  readonly always: boolean;
  /** Every object inherits a property of this name. */
  readonly inherited: boolean;
  readonly within: undefined;
}

/** A field that holds a message whose fields are the object's own: JSON does not nest it. */
export interface WithinField {
  readonly number: number;
  readonly tag: number;
  readonly goName: string;
  readonly within: MessagePlan;
}

export interface MessagePlan {
  /** Of the struct that the message, or the outermost of those around it, is. */
  readonly schema: StructSchema;
  /** Go's name, for errors. */
  readonly name: string;
  /** Ascending. */
  readonly fields: readonly (ValueField | WithinField)[];
  readonly byNumber: readonly (ValueField | WithinField | undefined)[];
  /** JSON names in Go's order. */
  readonly names: readonly string[];
  /** The message of an object without any field; made by the encoder. */
  zero: Uint8Array | undefined;
  /** What JSON shows of such an object; made by the decoder. */
  shownZeros: JsonObject | undefined;
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

/** The message of those `members` that stand `depth` messages within. */
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
  return { schema: owner, name: owner.goName, fields, byNumber, names, zero: undefined, shownZeros: undefined };
}

function valueField(owner: StructSchema, field: FieldSchema, number: number): ValueField {
  const value = valuePlan(field.value, owner);
  return {
    number,
    tag: tagOf(number, value.wireType),
    name: field.name,
    goName: field.name.charAt(0).toUpperCase() + field.name.slice(1),
    schema: field.value,
    value,
    pointer: field.pointer,
    always: !field.pointer && value.form !== 'list' && value.form !== 'map' && value.form !== 'bytes',
    inherited: field.name in Object.prototype,
    within: undefined,
  };
}

function valuePlan(schema: ValueSchema, owner: StructSchema): ValuePlan {
  switch (schema.kind) {
    case 'struct':
      return new StructPlan(schema);
    case 'list': {
      const items = valuePlan(schema.items, owner);
      const wrapped = schema.protobufWrapped === true;
      return { form: 'list', items, wrapped, wireType: wrapped ? DELIMITED : items.wireType };
    }
    case 'map': {
      const values = valuePlan(schema.values, owner);
      return { form: 'map', values, wireType: DELIMITED, valueTag: tagOf(2, values.wireType) };
    }
    case 'string':
    case 'bytes':
      return { form: schema.kind, wireType: DELIMITED };
    case 'boolean':
      return { form: 'boolean', wireType: VARINT };
    case 'integer':
      return { form: schema.bits === 32 ? 'int32' : 'int64', wireType: VARINT };
    case 'number':
      return { form: 'double', wireType: FIXED64 };
    case 'any': {
      const form = schemaForms.get(schema.goType);
      return form === undefined ? { form: 'json', wireType: DELIMITED } : new SpecialPlan(form, owner);
    }
    default:
      return new SpecialPlan(schema.kind, owner);
  }
}
