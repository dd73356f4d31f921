import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue, stringifyJson } from '../json/index.js';
import {
  type FieldError,
  internalFieldError,
  notSupported,
  quoteGo,
  required,
  tooMany,
  typeInvalid,
} from '../status/index.js';
import { Correlation } from './correlation.js';
import { fieldAt, Problems, unplaced } from './problems.js';
import type { SchemaNode, ValueLimits } from './schema-node.js';
import {
  isNearlyWhole,
  isWhole,
  refuse,
  stringWork,
  validateFormat,
  validateNumber,
  validateString,
} from './validate-scalar.js';

/** Schema levels that one validation may visit, or as much work: what a hostile pair of schema and value can cost. */
const MAXIMUM_WORK = 20_000_000;
/** So many characters are written in the time of a visit. */
const CHARACTERS_PER_VISIT = 4;

export interface ValidateValueOptions {
  /** Where the value stands, for the paths of errors; `''` = it is the whole object. */
  readonly base?: string;
  /** What stood there before, on updates: errors of unchanged parts are let pass. */
  readonly old?: JsonValue | undefined;
}

/** Holds a value against its schema. Upstream: kube-openapi `pkg/validation/validate`, apiextensions `ratcheting.go`. */
export function validateValue(value: JsonValue, schema: SchemaNode, options: ValidateValueOptions = {}): FieldError[] {
  const { base = '', old } = options;
  const validator = new Validator(base);
  const problems = new Problems();
  const correlation = old === undefined ? undefined : new Correlation(schema, value, old);
  try {
    validator.ratcheted(value, schema, '', correlation, problems);
  } catch (error) {
    if (error instanceof TooMuchWork) return [internalFieldError(fieldAt(base, ''), error.message)];
    throw error;
  }
  return problems.errors;
}

class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

class Validator {
  readonly #base: string;
  #work = 0;

  constructor(base: string) {
    this.#base = base;
  }

  /** What is wrong with a value that has not changed is forgotten. */
  ratcheted(
    value: JsonValue,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): void {
    const before = problems.count;
    this.#validate(value, node, path, correlation, problems);
    if (problems.count > before && correlation?.equal === true) problems.truncate(before);
  }

  #validate(
    value: JsonValue,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): void {
    this.#spend(1);
    const { limits } = node;
    const typed = node.type !== '' || node.intOrString || (limits !== undefined && limits.format !== '');
    if (value === null) {
      this.#nullValue(node, path, problems);
      return;
    }
    if (typed) {
      this.#type(value, node, path, problems);
      problems.matches++;
    }
    if (limits !== undefined) this.#alternatives(value, limits, path, correlation, problems);
    problems.matches += 2;
    const place = { base: this.#base, path, problems };
    if (typeof value === 'string') {
      if (limits !== undefined) {
        this.#spend(stringWork(value, limits));
        validateString(value, limits, place);
        validateFormat(value, limits.format, place);
      }
      problems.matches++;
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      if (limits !== undefined) validateNumber(value, node, limits, place);
      problems.matches += 2;
    } else if (Array.isArray(value)) {
      this.#list(value, node, path, correlation, problems);
    }
    if (limits !== undefined) this.#enum(value, limits, path, problems);
    problems.matches++;
    if (isObject(value)) this.#object(value, node, path, correlation, problems);
    problems.matches++;
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work > MAXIMUM_WORK) throw new TooMuchWork('validation takes too much work');
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
    // Upstream leaves texts with a format to the format, and lists with them.
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

  /** anyOf, oneOf, allOf, not: the parts of a value are correlated through them, the value itself is not. */
  #alternatives(
    value: JsonValue,
    limits: ValueLimits,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): void {
    const attempt = (node: SchemaNode): Problems => {
      const result = new Problems();
      this.#validate(value, node, path, correlation, result);
      return result;
    };
    if (limits.anyOf.length > 0) this.#anyOf(limits.anyOf, attempt, path, problems);
    if (limits.oneOf.length > 0) this.#oneOf(limits.oneOf, attempt, path, problems);
    if (limits.allOf.length > 0) this.#allOf(limits.allOf, attempt, path, problems);
    if (limits.not !== undefined && attempt(limits.not).count === 0) {
      this.#composite(`${quoteGo(path)} must not validate the schema (not)`, problems);
    }
  }

  #anyOf(
    nodes: readonly SchemaNode[],
    attempt: (node: SchemaNode) => Problems,
    path: string,
    problems: Problems,
  ): void {
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

  #oneOf(
    nodes: readonly SchemaNode[],
    attempt: (node: SchemaNode) => Problems,
    path: string,
    problems: Problems,
  ): void {
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

  #allOf(
    nodes: readonly SchemaNode[],
    attempt: (node: SchemaNode) => Problems,
    path: string,
    problems: Problems,
  ): void {
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

  #list(
    list: readonly JsonValue[],
    { items, limits }: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): void {
    if (items !== undefined) {
      for (const [index, item] of list.entries()) {
        this.ratcheted(item, items, `${path}[${index}]`, correlation?.index(index), problems);
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

  #object(
    object: JsonObject,
    node: SchemaNode,
    path: string,
    correlation: Correlation | undefined,
    problems: Problems,
  ): void {
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
        else this.#field(object, key, additionalProperties, `${path}.${key}`, path, correlation, problems);
      }
    }
    for (const [key, property] of properties) {
      this.#field(object, key, property, path === '' ? key : `${path}.${key}`, path, correlation, problems);
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
  ): void {
    const value = getOwn(object, key);
    if (value === undefined) return;
    // Both sides have been converted to one version: what the client changed of these two is no longer to be seen.
    const isType = parent === '' && (key === 'kind' || key === 'apiVersion');
    this.ratcheted(value, node, path, isType ? undefined : correlation?.key(key), problems);
  }

  #enum(value: JsonValue, limits: ValueLimits, path: string, problems: Problems): void {
    const allowed = limits.enum;
    if (allowed.length === 0 || (value !== null && allowed.some((each) => deepEqual(each, value)))) return;
    this.#spend(allowed.length);
    const texts = allowed.map((each) => (typeof each === 'string' ? each : stringifyJson(each)));
    const text = `${path} in body should be one of [${texts.join(' ')}]`;
    this.#spend(text.length / CHARACTERS_PER_VISIT);
    problems.add(text, () => notSupported(fieldAt(this.#base, path), value, texts));
  }
}

function typesOf(node: SchemaNode): readonly string[] {
  if (node.intOrString) return intOrString;
  return node.type === '' ? [] : [node.type];
}

const intOrString: readonly string[] = ['integer', 'string'];

/** Type and format of a value as upstream infers them. */
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
