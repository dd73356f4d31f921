import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { type FieldError, notSupported, required, tooMany } from '../status/index.js';
import { finish, type Steps, WorkBudget } from '../work/index.js';
import { Correlation } from './correlation.js';
import { fieldAt, Problems } from './problems.js';
import type { SchemaNode, ValueLimits } from './schema-node.js';
import { type Attempt, validateAlternatives } from './validate-alternatives.js';
import {
  isNearlyWhole,
  isLongText,
  matchesInSteps,
  refuse,
  spendOnString,
  validateFormat,
  validateNumber,
  validateString,
} from './validate-scalar.js';
import { refuseNull, validateType } from './validate-type.js';

/** Writing this many characters costs one visit. */
const CHARACTERS_PER_VISIT = 64;
/** The cost in visits of starting an alternative. */
const ATTEMPT = 2;
/** Looking up this many fields of a schema costs one visit. */
const LOOKUPS_PER_VISIT = 4;

export interface ValidateValueOptions {
  /** The path of the value in errors; `''` = it is the whole object. */
  readonly base?: string;
  /** The old value on updates: errors of unchanged parts are ignored. */
  readonly old?: JsonValue | undefined;
  /** The work that the validation may cost. Default: the limit of a request. */
  readonly budget?: WorkBudget | undefined;
}

/**
 * Validates a value against its schema. Upstream: kube-openapi `pkg/validation/validate`, apiextensions
 * `ratcheting.go`.
 */
export function validateValue(value: JsonValue, schema: SchemaNode, options: ValidateValueOptions = {}): FieldError[] {
  return finish(validateValueInSteps(value, schema, options));
}

/** {@link validateValue} in steps. Throws 413 when its budget is spent. */
export function* validateValueInSteps(
  value: JsonValue,
  schema: SchemaNode,
  { base = '', old, budget = new WorkBudget() }: ValidateValueOptions,
): Steps<FieldError[]> {
  const problems = new Problems();
  const correlation = old === undefined ? undefined : new Correlation(schema, value, old);
  const validator = new Validator(base, budget);
  yield* validator.ratcheted(value, schema, '', correlation, problems) ?? [];
  return problems.errors;
}

/** Values without parts are mostly checked at once; undefined means that no steps remain. */
type Remaining = Steps<void> | undefined;

class Validator {
  readonly #base: string;
  readonly #budget: WorkBudget;

  constructor(base: string, budget: WorkBudget) {
    this.#base = base;
    this.#budget = budget;
  }

  /** Drops the problems of an unchanged value. */
  ratcheted(
    value: JsonValue,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Remaining {
    const before = problems.count;
    const steps = this.#validate(value, node, path, correlation, problems);
    if (correlation === undefined) return steps;
    if (steps !== undefined) return forgetting(steps, before, correlation, problems);
    forget(before, correlation, problems);
    return undefined;
  }

  #validate(
    value: JsonValue,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Remaining {
    this.#budget.spend(1);
    if (value === null) {
      this.#nullValue(node, path, problems);
      return undefined;
    }
    const { limits } = node;
    if (node.type !== '' || node.intOrString || (limits !== undefined && limits.format !== '')) {
      validateType(value, node, { base: this.#base, path, problems });
      problems.matches++;
    }
    if (typeof value === 'object') return this.#parts(value, node, path, correlation, problems);
    if (limits !== undefined && isLongText(value, limits)) {
      return this.#longText(value, node, limits, path, correlation, problems);
    }
    if (limits?.hasAlternatives === true) {
      const attempt = (alternative: SchemaNode): Problems => {
        const result = new Problems();
        this.#budget.spend(ATTEMPT);
        this.#validate(value, alternative, path, correlation, result);
        return result;
      };
      validateAlternatives(limits, attempt, { base: this.#base, path, problems });
    }
    this.#scalar(value, node, path, problems);
    return undefined;
  }

  *#parts(
    value: JsonValue[] | JsonObject,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Steps<void> {
    const { limits } = node;
    if (limits?.hasAlternatives === true) {
      const attempt = yield* this.#attempts(value, limits, path, correlation);
      validateAlternatives(limits, attempt, { base: this.#base, path, problems });
    }
    problems.matches += 2;
    if (Array.isArray(value)) yield* this.#list(value, node, path, correlation, problems);
    if (limits !== undefined) this.#enum(value, limits, path, problems);
    problems.matches++;
    if (isObject(value)) yield* this.#object(value, node, path, correlation, problems);
    problems.matches++;
  }

  *#longText(
    value: string,
    node: SchemaNode,
    limits: ValueLimits,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Steps<void> {
    if (limits.hasAlternatives) {
      const attempt = yield* this.#attempts(value, limits, path, correlation);
      validateAlternatives(limits, attempt, { base: this.#base, path, problems });
    }
    spendOnString(value, limits, this.#budget);
    this.#scalar(value, node, path, problems, yield* matchesInSteps(value, limits));
  }

  /** `matches`: whether a long text matches its pattern. */
  #scalar(
    value: string | number | bigint | boolean,
    node: SchemaNode,
    path: string,
    problems: Problems,
    matches?: boolean,
  ): void {
    const { limits } = node;
    problems.matches += 2;
    const place = { base: this.#base, path, problems };
    if (typeof value === 'string') {
      if (limits !== undefined) {
        if (matches === undefined) spendOnString(value, limits, this.#budget);
        validateString(value, limits, place, matches);
        validateFormat(value, limits.format, place);
      }
      problems.matches++;
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      // Even without limits, a value that counts as an integer by type must be checked for being one.
      if (limits !== undefined || isNearlyWhole(Number(value))) validateNumber(value, node, limits, place);
      problems.matches += 2;
    }
    if (limits !== undefined) this.#enum(value, limits, path, problems);
    problems.matches += 2;
  }

  #nullValue(node: SchemaNode, path: string, problems: Problems): void {
    if (!node.nullable) refuseNull(node, { base: this.#base, path, problems });
    if (node.limits !== undefined) this.#enum(null, node.limits, path, problems);
  }

  /**
   * For a value that is checked in steps, all alternatives run before their results are judged. They compare the parts of the
   * value with the old ones, but not the value itself.
   */
  *#attempts(
    value: JsonValue,
    { anyOf, oneOf, allOf, not }: ValueLimits,
    path: string,
    correlation: Correlation | undefined,
  ): Steps<Attempt> {
    const results = new Map<SchemaNode, Problems>();
    for (const node of [...anyOf, ...oneOf, ...allOf, ...(not === undefined ? [] : [not])]) {
      const result = new Problems();
      this.#budget.spend(ATTEMPT);
      const steps = this.#validate(value, node, path, correlation, result);
      if (steps !== undefined) yield* steps;
      results.set(node, result);
    }
    return (node) => results.get(node) ?? new Problems();
  }

  *#list(
    list: readonly JsonValue[],
    { items, limits }: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Steps<void> {
    if (items !== undefined) {
      for (const [index, item] of list.entries()) {
        const steps = this.ratcheted(item, items, `${path}[${index}]`, correlation?.index(index), problems);
        if (steps !== undefined) yield* steps;
        if (this.#budget.endsStep()) yield;
      }
    }
    problems.matches += 2;
    if (limits === undefined) return;
    const { minItems, maxItems } = limits;
    const place = { base: this.#base, path, problems };
    if (minItems !== undefined && list.length < minItems) {
      refuse(place, list.length, `${path} in body should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      const text = `${path} in body should have at most ${maxItems} items`;
      problems.add(text, () => tooMany(fieldAt(this.#base, path), list.length, maxItems));
    }
  }

  *#object(
    object: JsonObject,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Steps<void> {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined);
    const { limits, properties, additionalProperties } = node;
    const place = { base: this.#base, path, problems };
    if (limits?.minProperties !== undefined && keys.length < limits.minProperties) {
      refuse(place, keys.length, `${path} in body should have at least ${limits.minProperties} properties`);
    }
    const most = limits?.maxProperties;
    if (most !== undefined && keys.length > most) {
      const text = `${path} in body should have at most ${most} properties`;
      problems.add(text, () => tooMany(fieldAt(this.#base, path), keys.length, most));
    }
    if (additionalProperties !== undefined && additionalProperties !== true) {
      for (const key of keys) {
        if (properties.has(key)) continue;
        if (additionalProperties === false) refuse(place, key, `${path}.${key} in body is a forbidden property`);
        else yield* this.#field(object, key, additionalProperties, `${path}.${key}`, path, correlation, problems) ?? [];
        if (this.#budget.endsStep()) yield;
      }
    }
    this.#budget.spend((properties.size + node.required.length) / LOOKUPS_PER_VISIT);
    for (const [key, property] of properties) {
      if (!Object.hasOwn(object, key)) continue;
      const below = path === '' ? key : `${path}.${key}`;
      const steps = this.#field(object, key, property, below, path, correlation, problems);
      if (steps !== undefined) yield* steps;
    }
    for (const key of node.required) {
      if (getOwn(object, key) !== undefined) continue;
      const text = `${path}.${key} in body is required`;
      problems.add(text, () => required(fieldAt(this.#base, `${path}.${key}`), ''));
    }
  }

  #field(
    object: JsonObject,
    key: string,
    node: SchemaNode,
    path: string,
    parent: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): Remaining {
    const value = getOwn(object, key);
    if (value === undefined) return undefined;
    // Both objects were converted to one version, so changes of these two are no longer visible.
    const isType = parent === '' && (key === 'kind' || key === 'apiVersion');
    return this.ratcheted(value, node, path, isType ? undefined : correlation?.key(key), problems);
  }

  #enum(value: JsonValue, limits: ValueLimits, path: string, problems: Problems): void {
    const allowed = limits.enum;
    if (allowed === undefined || (value !== null && allowed.has(value))) return;
    const text = `${path} in body should be one of [${allowed.shown}]`;
    this.#budget.spend(text.length / CHARACTERS_PER_VISIT);
    problems.add(text, () => notSupported(fieldAt(this.#base, path), value, allowed.texts));
  }
}

function* forgetting(steps: Steps<void>, before: number, correlation: Correlation, problems: Problems): Steps<void> {
  yield* steps;
  forget(before, correlation, problems);
}

function forget(before: number, correlation: Correlation, problems: Problems): void {
  if (problems.count > before && correlation.equal) problems.truncate(before);
}
