import { deepCopy, getOwn, isObject, type JsonObject, type JsonValue, keysInSteps } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { finish, Pace, type Steps, type WorkBudget } from '@binnacle/apimachinery/work';
import { type DefaultPlan, planOf, type ValuePlan } from './plan.js';
import { roundUpResourceList } from './resource-list.js';
import type { DefaultContext } from './type-rule.js';

export interface DefaultOptions {
  /** Milliseconds since the epoch, for defaults that are times. Default: the system clock. */
  readonly now?: (() => number) | undefined;
  /** Bounds what defaults add: they turn `{}` into a container of 108 bytes. Default: no bound. */
  readonly budget?: WorkBudget | undefined;
}

/** About the size of a field that a rule sets: the rules of a container set three, of 108 bytes. */
const BYTES_PER_RULE_FIELD = 36;

/** A millisecond of work. */
const STRUCTS_PER_STEP = 500;

interface Defaulting extends DefaultContext {
  readonly budget: WorkBudget | undefined;
  readonly pace: Pace;
}

/**
 * Applies all defaults of `schema` to `object`, in place. `object` must have been decoded with the same schema.
 * Idempotent. Throws a 413 when the defaults exceed the budget.
 *
 * The rule of a struct runs before the defaults of its fields, and those before the structs below them. Null and Go's
 * zero value count as absent, except that a pointer in Go keeps an explicit zero. A struct that Go embeds by value is
 * created as soon as anything inside it has a default.
 *
 * Upstream: the generated `SetObjectDefaults_*` of each API group.
 */
export function applyDefaults(object: JsonObject, schema: StructSchema, options?: DefaultOptions): void {
  finish(applyDefaultsInSteps(object, schema, options));
}

/** {@link applyDefaults} in steps. */
export function* applyDefaultsInSteps(object: JsonObject, schema: StructSchema, options?: DefaultOptions): Steps<void> {
  const plan = planOf(schema);
  if (plan === undefined) return;
  const { now = Date.now, budget } = options ?? {};
  yield* defaultStruct(object, plan, { now, budget, pace: new Pace(STRUCTS_PER_STEP) });
}

function* defaultStruct(object: JsonObject, plan: DefaultPlan, context: Defaulting): Steps<void> {
  if (plan.rule !== undefined) {
    yield* applyRule(object, plan, context);
    yield;
  }
  if (context.pace.endsStep()) yield;
  for (const field of plan.fields) {
    let value = getOwn(object, field.name);
    if (field.default !== undefined && isAbsent(value, field.pointer)) {
      context.budget?.add(field.addedBytes);
      value = deepCopy(field.default);
      object[field.name] = value;
    }
    if (field.child === undefined) continue;
    if (value !== undefined && value !== null) {
      yield* defaultValue(value, field.child, context);
    } else if (field.alwaysPresent && field.child.kind === 'struct') {
      const created: JsonObject = {};
      yield* defaultStruct(created, field.child.plan(), context);
      if (hasFields(created)) object[field.name] = created;
    }
  }
}

function* applyRule(object: JsonObject, { rule }: DefaultPlan, context: Defaulting): Steps<void> {
  if (rule === undefined) return;
  const before = countFields(object);
  const steps = rule(object, context);
  if (steps !== undefined) yield* steps;
  context.budget?.add(Math.max(0, countFields(object) - before) * BYTES_PER_RULE_FIELD);
}

function* defaultValue(value: JsonValue, plan: ValuePlan, context: Defaulting): Steps<void> {
  switch (plan.kind) {
    case 'struct':
      if (isObject(value)) yield* defaultStruct(value, plan.plan(), context);
      return;
    case 'list':
      if (Array.isArray(value)) for (const item of value) yield* defaultValue(item, plan.items, context);
      return;
    case 'map':
      if (!isObject(value)) return;
      for (const key of yield* keysInSteps(value)) {
        const member = value[key];
        if (member !== undefined) yield* defaultValue(member, plan.values, context);
      }
      return;
    case 'resourceList':
      if (!isObject(value)) return;
      yield* roundUpResourceList(value);
      return;
  }
}

function isAbsent(value: JsonValue | undefined, pointer: boolean): boolean {
  if (value === undefined || value === null) return true;
  return !pointer && (value === '' || value === 0 || value === false || value === 0n);
}

function countFields(object: JsonObject): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

function hasFields(object: JsonObject): boolean {
  return countFields(object) > 0;
}
