import { type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import type { FieldSchema, StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { typeDefaults } from './type-defaults.js';
import type { TypeRule } from './type-rule.js';

/** The defaults of one struct type. A type with no default in or below it has no plan. */
export interface DefaultPlan {
  readonly rule: TypeRule | undefined;
  readonly fields: readonly FieldPlan[];
}

export interface FieldPlan {
  readonly name: string;
  readonly default: JsonValue | undefined;
  /** The size of the field and its default in JSON. */
  readonly addedBytes: number;
  /** Keeps an explicit zero value. */
  readonly pointer: boolean;
  /** Go embeds the struct by value, so it exists even if the object omits it. */
  readonly alwaysPresent: boolean;
  readonly child: ValuePlan | undefined;
}

export type ValuePlan =
  | { readonly kind: 'struct'; readonly plan: () => DefaultPlan }
  | { readonly kind: 'list'; readonly items: ValuePlan }
  | { readonly kind: 'map'; readonly values: ValuePlan }
  | { readonly kind: 'resourceList' };

const plans = new WeakMap<StructSchema, DefaultPlan | null>();
const nothing: DefaultPlan = { rule: undefined, fields: [] };

/** The plan of a struct type, built on first use; undefined if no default applies in or below it. */
export function planOf(schema: StructSchema): DefaultPlan | undefined {
  let plan = plans.get(schema);
  if (plan === undefined) {
    buildPlans(schema);
    plan = plans.get(schema) ?? null;
  }
  return plan ?? undefined;
}

/** Types may be recursive, so a fixed point over all types reachable from `root` finds those with defaults. */
function buildPlans(root: StructSchema): void {
  const reachable = new Set<StructSchema>();
  const open = [root];
  for (let struct = open.pop(); struct !== undefined; struct = open.pop()) {
    if (reachable.has(struct) || plans.has(struct)) continue;
    reachable.add(struct);
    for (const field of struct.fields) {
      const target = structWithin(field.value);
      if (target !== undefined) open.push(target);
    }
  }
  const relevant = new Set<StructSchema>();
  const matters = (struct: StructSchema) => relevant.has(struct) || (plans.get(struct) ?? null) !== null;
  for (let grown = true; grown; ) {
    grown = false;
    for (const struct of reachable) {
      if (relevant.has(struct)) continue;
      if (typeDefaults.has(struct.name) || struct.fields.some((field) => fieldMatters(struct, field, matters))) {
        relevant.add(struct);
        grown = true;
      }
    }
  }
  for (const struct of reachable) if (!relevant.has(struct)) plans.set(struct, null);
  for (const struct of relevant) plans.set(struct, planStruct(struct, matters));
}

function fieldMatters(owner: StructSchema, field: FieldSchema, matters: (struct: StructSchema) => boolean): boolean {
  if (defaultOf(field) !== undefined || isResourceList(owner, field.value)) return true;
  const target = structWithin(field.value);
  return target !== undefined && matters(target);
}

function planStruct(struct: StructSchema, matters: (struct: StructSchema) => boolean): DefaultPlan {
  const fields: FieldPlan[] = [];
  for (const field of struct.fields) {
    if (!fieldMatters(struct, field, matters)) continue;
    const target = structWithin(field.value);
    const child = isResourceList(struct, field.value)
      ? resourceList
      : target !== undefined && matters(target)
        ? planValue(field.value)
        : undefined;
    const added = defaultOf(field);
    fields.push({
      name: field.name,
      default: added,
      addedBytes: added === undefined ? 0 : stringifyJson({ [field.name]: added }).length,
      pointer: field.pointer,
      alwaysPresent: field.value.kind === 'struct' && !field.pointer,
      child,
    });
  }
  return { rule: typeDefaults.get(struct.name), fields };
}

const resourceList: ValuePlan = { kind: 'resourceList' };

function planValue(value: ValueSchema): ValuePlan | undefined {
  switch (value.kind) {
    case 'struct': {
      const { type } = value;
      return { kind: 'struct', plan: () => planOf(type) ?? nothing };
    }
    case 'list': {
      const items = planValue(value.items);
      return items && { kind: 'list', items };
    }
    case 'map': {
      const values = planValue(value.values);
      return values && { kind: 'map', values };
    }
    default:
      return undefined;
  }
}

/** The schema default, unless it equals Go's zero value. */
function defaultOf(field: FieldSchema): JsonValue | undefined {
  const value = field.default;
  if (value === undefined || value === null || field.pointer) return value ?? undefined;
  if (value === '' || value === 0 || value === false || value === 0n) return undefined;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}

function structWithin(value: ValueSchema): StructSchema | undefined {
  if (value.kind === 'struct') return value.type;
  if (value.kind === 'list') return structWithin(value.items);
  if (value.kind === 'map') return structWithin(value.values);
  return undefined;
}

/** Every map of quantities in the core group has Go's type ResourceList, whose values are rounded. */
function isResourceList(owner: StructSchema, value: ValueSchema): boolean {
  return value.kind === 'map' && value.values.kind === 'quantity' && owner.name.startsWith('io.k8s.api.core.v1.');
}
