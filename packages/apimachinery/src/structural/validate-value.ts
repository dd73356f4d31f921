import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import { type FieldError, notSupported, quoteGo, required, tooMany, typeInvalid } from '../status/index.js';
import { finish, type Steps, WorkBudget } from '../work/index.js';
import { Correlation } from './correlation.js';
import { fieldAt, Problems, unplaced } from './problems.js';
import type { SchemaNode, ValueLimits } from './schema-node.js';
import {
  isNearlyWhole,
  isLongText,
  isWhole,
  matchesInSteps,
  refuse,
  spendOnString,
  validateFormat,
  validateNumber,
  validateString,
} from './validate-scalar.js';

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
      this.#type(value, node, path, problems);
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
      this.#alternatives(limits, attempt, path, problems);
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
      this.#alternatives(limits, yield* this.#attempts(value, limits, path, correlation), path, problems);
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
      this.#alternatives(limits, yield* this.#attempts(value, limits, path, correlation), path, problems);
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
    const types = typesOf(node);
    if (types.length > 0 && !node.nullable) this.#wrongType(types.join(','), 'null', path, problems);
    if (node.limits !== undefined) this.#enum(null, node.limits, path, problems);
  }

  #type(value: JsonValue, node: SchemaNode, path: string, problems: Problems): void {
    const types = typesOf(node);
    const format = node.limits?.format ?? '';
    const [type, ownFormat] = describe(value);
    const wholeNumber = type === 'number' && types.includes('integer') && isNearlyWhole(Number(value));
    const widened = type === 'integer' && types.includes('number');
    const matches = types.includes(type) || wholeNumber || widened;
    const isTextOrList = type === 'string' || type === 'array';
    if (!isTextOrList && format !== '' && !matches && ownFormat !== format) {
      this.#wrongType(format, ownFormat, path, problems);
      return;
    }
    const numeric = types.includes('number') || types.includes('integer');
    // Upstream checks strings with a format only by the format, and lists with them.
    if ((!numeric && format !== '' && isTextOrList) || matches) {
      problems.matches++;
      return;
    }
    this.#wrongType(types.join(','), type, path, problems);
  }

  #wrongType(expected: string, actual: string, path: string, problems: Problems): void {
    const text = `${path} in body must be of type ${expected}: ${quoteGo(actual)}`;
    problems.add(text, () => typeInvalid(fieldAt(this.#base, path), actual, text));
  }

  /**
   * Validates anyOf, oneOf, allOf and not. They correlate the parts of a value, but not the value itself. `attempt`
   * returns the errors of an alternative.
   */
  #alternatives(limits: ValueLimits, attempt: Attempt, path: string, problems: Problems): void {
    if (limits.anyOf.length > 0) this.#anyOf(limits.anyOf, attempt, path, problems);
    if (limits.oneOf.length > 0) this.#oneOf(limits.oneOf, attempt, path, problems);
    if (limits.allOf.length > 0) this.#allOf(limits.allOf, attempt, path, problems);
    if (limits.not !== undefined && attempt(limits.not).count === 0) {
      this.#composite(`${quoteGo(path)} must not validate the schema (not)`, problems);
    }
  }

  /** For a value with parts, which are checked in steps, all alternatives run before they are evaluated. */
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

  #anyOf(nodes: readonly SchemaNode[], attempt: Attempt, path: string, problems: Problems): void {
    let best: Problems | undefined;
    for (const node of nodes) {
      const result = attempt(node);
      if (result.count === 0) {
        problems.merge(result);
        return;
      }
      if (best === undefined || result.matches > best.matches) best = result;
    }
    this.#composite(`${quoteGo(path)} must validate at least one schema (anyOf)`, problems);
    if (best !== undefined) problems.merge(best);
  }

  #oneOf(nodes: readonly SchemaNode[], attempt: Attempt, path: string, problems: Problems): void {
    const results = nodes.map(attempt);
    const valid = results.filter((result) => result.count === 0);
    const [first] = valid;
    if (valid.length === 1 && first !== undefined) {
      problems.merge(first);
      return;
    }
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    this.#composite(`${quoteGo(path)} must validate one and only one schema (oneOf). ${found}`, problems);
    if (valid.length > 0) return;
    const best = results.reduce((chosen, result) => (result.matches > chosen.matches ? result : chosen));
    problems.merge(best);
  }

  #allOf(nodes: readonly SchemaNode[], attempt: Attempt, path: string, problems: Problems): void {
    let valid = 0;
    for (const node of nodes) {
      const result = attempt(node);
      if (result.count === 0) valid++;
      problems.merge(result);
    }
    if (valid === nodes.length) return;
    this.#composite(
      `${quoteGo(path)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
      problems,
    );
  }

  #composite(text: string, problems: Problems): void {
    problems.add(text, () => unplaced(this.#base, text));
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

type Attempt = (node: SchemaNode) => Problems;

function* forgetting(steps: Steps<void>, before: number, correlation: Correlation, problems: Problems): Steps<void> {
  yield* steps;
  forget(before, correlation, problems);
}

function forget(before: number, correlation: Correlation, problems: Problems): void {
  if (problems.count > before && correlation.equal) problems.truncate(before);
}

function typesOf(node: SchemaNode): readonly string[] {
  if (node.intOrString) return intOrString;
  return node.type === '' ? [] : [node.type];
}

const intOrString: readonly string[] = ['integer', 'string'];

/** Type and format of a value, as upstream infers them. */
function describe(value: JsonValue): readonly [type: string, format: string] {
  switch (typeof value) {
    case 'string':
      return ['string', ''];
    case 'boolean':
      return ['boolean', ''];
    case 'bigint':
      return ['integer', 'int64'];
    case 'number':
      return isWhole(value) ? ['integer', 'int64'] : ['number', 'float64'];
    default:
      return [Array.isArray(value) ? 'array' : 'object', ''];
  }
}
