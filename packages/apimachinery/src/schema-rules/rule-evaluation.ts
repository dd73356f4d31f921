import {
  Budget,
  COST_PER_STEP,
  CostLimitError,
  EvaluationError,
  OptionalValue,
  type Program,
  type Value,
} from '../cel/index.js';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidWithoutValue,
  invalidValue,
  quoteGo,
  required,
} from '../status/index.js';
import { itemsByKey, keyOf, type RuleObserver, type ValidationRule } from '../structural/index.js';
import type { Steps } from '../work/index.js';
import { type CompiledRule, OLD_SELF, SELF } from './compile-rule.js';
import { CALL_COST_LIMIT, MESSAGE_BYTES_LIMIT } from './limits.js';
import type { Ratchet } from './ratchet.js';
import { ReadCount } from './read-count.js';
import type { RuleTree } from './rule-tree.js';
import { schemaValue } from './schema-value.js';

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';
const NO_MORE_RULES = 'no further validation rules will be run due to call cost exceeds limit for';

/** A value and its old value; undefined if there is none or it cannot be correlated. */
interface Place {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  /** `''` for the whole object. */
  readonly path: string;
  readonly ratchet: Ratchet;
}

/**
 * Evaluates all rules for one value, with upstream's messages (apiextensions `pkg/apiserver/schema/cel/validation.go`).
 * `remaining` is the budget, negative once it stopped the evaluation.
 */
export class RuleEvaluation {
  readonly errors: FieldError[] = [];
  /** Errors of unchanged values, which do not fail the request. */
  readonly unchanged: FieldError[] = [];
  readonly #reads = new ReadCount();
  readonly #observer: RuleObserver | undefined;
  #remaining: number;
  /** The cost of the evaluations since the last step, and one unit for each place. */
  #sinceStep = 0;

  constructor(budget: number, observer?: RuleObserver) {
    this.#remaining = budget;
    this.#observer = observer;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Returns false when the budget is spent. */
  *visit(tree: RuleTree, place: Place): Steps<boolean> {
    const { value } = place;
    if (value === null) return true;
    const rules = tree.rules ?? (yield* this.#compile(tree));
    if (rules.length > 0 && !(yield* this.#evaluateRules(tree, rules, place))) return false;
    this.#sinceStep++;
    if (this.#endsStep()) yield;
    if (Array.isArray(value)) return yield* this.#visitItems(tree, value, place);
    return isObject(value) ? yield* this.#visitFields(tree, value, place) : true;
  }

  *#compile(tree: RuleTree): Steps<readonly CompiledRule[]> {
    const done = this.#observer?.compiling();
    const rules = yield* tree.compileRules();
    done?.();
    return rules;
  }

  *#visitItems({ items, schema }: RuleTree, list: readonly JsonValue[], place: Place): Steps<boolean> {
    if (items === undefined) return true;
    const { old, path, ratchet } = place;
    const keys = schema.lists?.type === 'map' ? schema.lists.mapKeys : [];
    const before = keys.length === 0 || old === undefined ? undefined : itemsByKey(old, keys);
    for (const [index, value] of list.entries()) {
      const key = before !== undefined && isObject(value) ? keyOf(value, keys) : undefined;
      const goesOn = yield* this.visit(items, {
        value,
        old: key === undefined ? undefined : before?.get(key),
        path: `${path}[${index}]`,
        ratchet: ratchet.index(index),
      });
      if (!goesOn) return false;
    }
    return true;
  }

  *#visitFields(tree: RuleTree, object: JsonObject, { old, path, ratchet }: Place): Steps<boolean> {
    const before = isObject(old) ? old : undefined;
    for (const key of Object.keys(object)) {
      const property = tree.properties.get(key);
      const below = property ?? tree.additionalProperties;
      if (below === undefined) continue;
      const goesOn = yield* this.visit(below, {
        value: getOwn(object, key) ?? null,
        old: before && getOwn(before, key),
        path: property === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
        ratchet: ratchet.key(key),
      });
      if (!goesOn) return false;
    }
    return true;
  }

  *#evaluateRules(tree: RuleTree, rules: readonly CompiledRule[], place: Place): Steps<boolean> {
    if (this.#remaining <= 0) return this.#stop(tree, place, OUT_OF_BUDGET);
    const variables = this.#variables(tree, rules, place);
    for (const compiled of rules) {
      const program = this.#programOf(tree, compiled, place);
      if (program === undefined) continue;
      const read = compiled.rule.optionalOldSelf === true ? variables.optional : variables.plain;
      const outcome = program.inSteps === undefined ? this.#run(program, read) : yield* this.#runInSteps(program, read);
      if (this.#endsStep()) yield;
      if (outcome === true && this.#remaining >= 0) continue;
      if (!(yield* this.#fail(tree, compiled, place, read, outcome))) return false;
    }
    return true;
  }

  /** Undefined if the rule does not apply. */
  #programOf(tree: RuleTree, { rule, condition, usesOldSelf }: CompiledRule, place: Place): Program | undefined {
    if (condition === undefined) return undefined;
    if ('problem' in condition) {
      this.#refuse(tree, place, `rule compile error: ${condition.problem}`);
      return undefined;
    }
    return usesOldSelf && isAbsent(place.old) && rule.optionalOldSelf !== true ? undefined : condition.program;
  }

  /** Reports a rule that does not hold. */
  *#fail(tree: RuleTree, compiled: CompiledRule, place: Place, read: Read, outcome: Outcome): Steps<boolean> {
    const { rule } = compiled;
    if (this.#remaining < 0) return this.#stop(tree, place, OUT_OF_BUDGET);
    if (outcome instanceof CostLimitError) {
      return this.#stop(tree, place, `'${outcome.message}': ${NO_MORE_RULES} rule: ${nameOf(rule)}`);
    }
    if (outcome instanceof EvaluationError) {
      this.#refuse(tree, place, failureOf(outcome, rule));
      return true;
    }
    return yield* this.#report(tree, compiled, place, read);
  }

  /** Reports a violated rule. */
  *#report(tree: RuleTree, compiled: CompiledRule, place: Place, read: Read): Steps<boolean> {
    const { rule, message, fieldPath, usesOldSelf } = compiled;
    const path = [place.path, fieldPath].filter((part) => part !== '').join('.');
    const add = (error: FieldError): void => {
      const list = !usesOldSelf && place.ratchet.isUnchanged ? this.unchanged : this.errors;
      list.push(error);
    };
    let detail = rule.message === '' ? `failed rule: ${nameOf(rule)}` : rule.message.trim();
    if (message !== undefined && 'program' in message) {
      const made = yield* this.#runInSteps(message.program, read);
      const problem = this.#messageLimit(made, rule.messageExpression);
      if (problem !== undefined) {
        this.#remaining = -1;
        add(invalidValue(path || '<nil>', tree.schema.type, problem));
        return false;
      }
      if (typeof made === 'string' && isUsable(made.trim())) detail = made.trim();
    }
    add(errorFor(rule.reason, path || '<nil>', shownValue(tree, place.value), detail));
    return true;
  }

  #messageLimit(made: Outcome, source: string): string | undefined {
    if (this.#remaining < 0) {
      return 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    }
    return made instanceof CostLimitError ? `${NO_MORE_RULES} messageExpression: ${quoteGo(source)}` : undefined;
  }

  #run(program: Program, read: Read): Outcome {
    const budget = this.#begin();
    try {
      return program(read, budget);
    } catch (error) {
      return failureOnly(error);
    } finally {
      this.#end(budget);
    }
  }

  *#runInSteps(program: Program, read: Read): Steps<Outcome> {
    if (program.inSteps === undefined) return this.#run(program, read);
    const budget = this.#begin();
    try {
      return yield* program.inSteps(read, budget);
    } catch (error) {
      return failureOnly(error);
    } finally {
      this.#end(budget);
    }
  }

  #begin(): Budget {
    const budget = new Budget(CALL_COST_LIMIT);
    this.#reads.start(CALL_COST_LIMIT, budget);
    return budget;
  }

  #end(budget: Budget): void {
    const cost = Math.max(budget.spent, this.#reads.cost);
    this.#remaining -= cost;
    this.#sinceStep += Math.max(cost, budget.done);
  }

  #endsStep(): boolean {
    if (this.#sinceStep < COST_PER_STEP) return false;
    this.#sinceStep = 0;
    return true;
  }

  #variables({ schema }: RuleTree, rules: readonly CompiledRule[], { value, old }: Place): Variables {
    let self: Value | undefined;
    let before: Value | undefined;
    const readSelf = (): Value => (self ??= schemaValue(value, schema, this.#reads));
    // All rules of a schema level can read the old value if one of them uses it.
    const hasOld = !isAbsent(old) && rules.some(({ usesOldSelf }) => usesOldSelf);
    const readOld = (): Value => (before ??= schemaValue(old ?? null, schema, this.#reads));
    const readOptional = (): Value => (hasOld ? new OptionalValue(readOld()) : OptionalValue.NONE);
    return {
      plain: (name) => (name === SELF ? readSelf() : name === OLD_SELF && hasOld ? readOld() : undefined),
      optional: (name) => (name === SELF ? readSelf() : name === OLD_SELF ? readOptional() : undefined),
    };
  }

  #refuse(tree: RuleTree, { path }: Place, detail: string): void {
    this.errors.push(invalidValue(path || '<nil>', tree.schema.type, detail));
  }

  #stop(tree: RuleTree, place: Place, detail: string): false {
    this.#refuse(tree, place, detail);
    this.#remaining = -1;
    return false;
  }
}

type Read = (name: string) => Value | undefined;
type Outcome = Value | EvaluationError | CostLimitError;

/** The variables of an expression; the old value is plain or optional. */
interface Variables {
  readonly plain: Read;
  readonly optional: Read;
}

/** Throws errors that the expression did not cause. */
function failureOnly(error: unknown): EvaluationError | CostLimitError {
  if (error instanceof EvaluationError || error instanceof CostLimitError) return error;
  throw error;
}

function isAbsent(old: JsonValue | undefined): boolean {
  return old === undefined || old === null;
}

function nameOf({ rule, message }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function failureOf({ message }: EvaluationError, rule: ValidationRule): string {
  if (!message.startsWith('no such overload')) return `${message} evaluating rule: ${nameOf(rule)}`;
  // The types are known only at run time, as for int-or-string.
  return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
}

function isUsable(message: string): boolean {
  return message !== '' && !message.includes('\n') && Buffer.byteLength(message) <= MESSAGE_BYTES_LIMIT;
}

/** Undefined for objects and lists, which messages omit. */
function shownValue({ schema }: RuleTree, value: JsonValue): JsonValue | undefined {
  return schema.type === 'object' || schema.type === 'array' ? undefined : value;
}

function errorFor(reason: string, path: string, value: JsonValue | undefined, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return value === undefined ? { type: 'FieldValueDuplicate', field: path, detail: '' } : duplicate(path, value);
    default:
      return value === undefined ? invalidWithoutValue(path, detail) : invalidValue(path, value, detail);
  }
}
