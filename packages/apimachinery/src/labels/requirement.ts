import { type FieldError, formatFieldErrors, invalidValue, notSupported } from '../status/index.js';
import { validateLabelKey, validateLabelValue } from '../validation/index.js';
import { LabelSelectorError } from './error.js';

/** The operators of upstream's `selection` package. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** In the order of upstream's messages. */
export const binaryOperators: readonly LabelOperator[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'];

/** The labels of an object. Keys are untrusted. */
export type Labels = { readonly [key: string]: string };

/** One requirement on one label. Immutable. */
export class LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
  readonly #single: string | undefined;
  readonly #set: ReadonlySet<string> | undefined;
  readonly #bound: number | bigint;

  /** Throws a {@link LabelSelectorError} that names every problem. Upstream: apimachinery `labels.NewRequirement`. */
  constructor(key: string, operator: LabelOperator, values: readonly string[]) {
    const errors = requirementErrors(key, operator, values);
    if (errors.length > 0) throw new LabelSelectorError(formatFieldErrors(errors));
    this.key = key;
    this.operator = operator;
    this.values = values;
    this.#single = values.length === 1 ? values[0] : undefined;
    this.#set = values.length > 1 ? new Set(values) : undefined;
    this.#bound = operator === 'gt' || operator === 'lt' ? (parseInt64(values[0] ?? '') ?? 0) : 0;
  }

  matches(labels: Labels): boolean {
    const present = Object.hasOwn(labels, this.key);
    switch (this.operator) {
      case 'exists':
        return present;
      case '!':
        return !present;
      case '=':
      case '==':
      case 'in':
        return present && this.#has(labels[this.key]);
      case '!=':
      case 'notin':
        return !present || !this.#has(labels[this.key]);
      case 'gt':
      case 'lt':
        return present && this.#ordered(labels[this.key]);
    }
  }

  /** Canonical text, with sorted values. */
  toString(): string {
    switch (this.operator) {
      case 'exists':
        return this.key;
      case '!':
        return `!${this.key}`;
      case 'in':
      case 'notin':
        return `${this.key} ${this.operator} (${this.values.toSorted().join(',')})`;
      case 'gt':
        return `${this.key}>${this.values.join(',')}`;
      case 'lt':
        return `${this.key}<${this.values.join(',')}`;
      default:
        return `${this.key}${this.operator}${this.values.join(',')}`;
    }
  }

  #has(value: string | undefined): boolean {
    if (value === undefined) return false;
    return this.#set === undefined ? this.#single === value : this.#set.has(value);
  }

  #ordered(value: string | undefined): boolean {
    const number = value === undefined ? undefined : parseInt64(value);
    if (number === undefined) return false;
    return this.operator === 'gt' ? number > this.#bound : number < this.#bound;
  }
}

function requirementErrors(key: string, operator: LabelOperator, values: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const keyProblems = validateLabelKey(key);
  if (keyProblems.length > 0) errors.push(invalidValue('key', key, keyProblems.join('; ')));
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length === 0) {
        errors.push(invalidValue('values', values, "for 'in', 'notin' operators, values set can't be empty"));
      }
      break;
    case '=':
    case '==':
    case '!=':
      if (values.length !== 1) {
        errors.push(invalidValue('values', values, 'exact-match compatibility requires one single value'));
      }
      break;
    case 'exists':
    case '!':
      if (values.length !== 0) {
        errors.push(invalidValue('values', values, 'values set must be empty for exists and does not exist'));
      }
      break;
    case 'gt':
    case 'lt':
      errors.push(...boundErrors(values));
      break;
    default:
      errors.push(notSupported('operator', operator, [...binaryOperators, 'exists', '!']));
  }
  for (const [index, value] of values.entries()) {
    const problems = validateLabelValue(value);
    if (problems.length > 0) errors.push(invalidValue(`values[${index}][${key}]`, value, problems.join('; ')));
  }
  return errors;
}

function boundErrors(values: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (values.length !== 1) {
    errors.push(invalidValue('values', values, "for 'Gt', 'Lt' operators, exactly one value is required"));
  }
  for (const [index, value] of values.entries()) {
    if (parseInt64(value) === undefined) {
      errors.push(invalidValue(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  return errors;
}

const decimal = /^[+-]?[0-9]+$/;

function parseInt64(text: string): number | bigint | undefined {
  if (!decimal.test(text)) return undefined;
  if (text.length <= 15) return Number(text);
  // A label value has at most 63 bytes. Longer text need not be converted.
  if (text.length > 63) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
