import { isObject, type JsonObject, quoteJson, readJson } from '../json/index.js';
import { type FieldSchema, isScalarGoStruct, type StructSchema, type ValueSchema } from '../schema/index.js';

/**
 * How values of one type are written. Built once for each schema, and shared. `zeroText` replaces null in lists and
 * maps, where a value is required.
 */
export type ValuePlan = ScalarPlan | ListPlan | MapPlan | StructValuePlan;

export interface ScalarPlan {
  readonly form: 'scalar' | 'intOrString';
  readonly zeroText: string;
}

export interface ListPlan {
  readonly form: 'list';
  readonly items: ValuePlan;
  readonly zeroText: 'null';
}

export interface MapPlan {
  readonly form: 'map';
  readonly values: ValuePlan;
  readonly zeroText: 'null';
}

/** Resolves its struct on first use, because types may be recursive. */
class StructValuePlan {
  readonly form = 'struct';
  readonly #schema: StructSchema;
  #plan: StructPlan | undefined = undefined;

  constructor(schema: StructSchema) {
    this.#schema = schema;
  }

  get plan(): StructPlan {
    this.#plan ??= structPlan(this.#schema);
    return this.#plan;
  }

  get zeroText(): string {
    return this.plan.zeroText;
  }
}

export interface FieldPlan {
  readonly name: string;
  /**
   * ASCII, as all field names are. The text before the value of the first field written, `{"name":`, and of a later
   * one, `,"name":`.
   */
  readonly first: string;
  readonly next: string;
  readonly value: ValuePlan;
  /** What is written for an absent value, including the name; empty if nothing is written. */
  readonly absentText: string;
  /** A zero value is written like an absent one. */
  readonly dropZero: boolean;
  /** The text of the zero struct if it is omitted. A struct is zero if it has this text. */
  readonly droppedText: string | undefined;
  /** Object.prototype has a property of this name. */
  readonly inherited: boolean;
}

export interface StructPlan {
  readonly schema: StructSchema;
  readonly fields: readonly FieldPlan[];
  /** The text of a value without fields: the fields that are never omitted. */
  readonly zeroText: string;
}

const zeros = new WeakMap<StructSchema, Readonly<JsonObject>>();

/** The zero values that `encodeTyped` writes for a struct without fields, as values. All callers share them. */
export function shownZeros(schema: StructSchema): Readonly<JsonObject> {
  let known = zeros.get(schema);
  if (known === undefined) {
    const value = readJson(Buffer.from(structPlan(schema).zeroText));
    known = isObject(value) ? value : {};
    zeros.set(schema, known);
  }
  return known;
}

const plans = new WeakMap<StructSchema, StructPlan>();

export function structPlan(schema: StructSchema): StructPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const fields = schema.fields.map(fieldPlan);
    const zeroText = `{${fields
      .map((field) => field.absentText)
      .filter((text) => text !== '')
      .join(',')}}`;
    plan = { schema, fields, zeroText };
    plans.set(schema, plan);
  }
  return plan;
}

function fieldPlan(field: FieldSchema): FieldPlan {
  const prefix = `${quoteJson(field.name)}:`;
  const zero = field.pointer ? 'null' : zeroText(field.value);
  // Go's omitempty never applies to structs, and most special types are structs.
  const isGoStruct = field.value.kind === 'struct' || isScalarGoStruct(field.value);
  const omitted = field.omitZero || (field.omitEmpty && (field.pointer || !isGoStruct));
  return {
    name: field.name,
    first: `{${prefix}`,
    next: `,${prefix}`,
    value: valuePlan(field.value),
    absentText: omitted ? '' : prefix + zero,
    dropZero: !field.pointer && omitted,
    droppedText: !field.pointer && field.omitZero && field.value.kind === 'struct' ? zero : undefined,
    inherited: field.name in Object.prototype,
  };
}

/** The text of a type's zero value in Go. A struct can contain itself only through a pointer, list or map. */
function zeroText(schema: ValueSchema): string {
  switch (schema.kind) {
    case 'struct':
      return structPlan(schema.type).zeroText;
    case 'string':
      return '""';
    case 'boolean':
      return 'false';
    case 'integer':
    case 'number':
    case 'intOrString':
      return '0';
    case 'quantity':
      return '"0"';
    case 'duration':
      return '"0s"';
    default:
      return 'null';
  }
}

function valuePlan(schema: ValueSchema): ValuePlan {
  switch (schema.kind) {
    case 'struct':
      return new StructValuePlan(schema.type);
    case 'list':
      return { form: 'list', items: valuePlan(schema.items), zeroText: 'null' };
    case 'map':
      return { form: 'map', values: valuePlan(schema.values), zeroText: 'null' };
    default:
      return { form: schema.kind === 'intOrString' ? 'intOrString' : 'scalar', zeroText: zeroText(schema) };
  }
}
