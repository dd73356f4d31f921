import { type Budget, LIST_COST, MAP_COST, SELECT_COST, STRUCT_COST } from './cost/budget.js';
import { finish, type Steps } from '../work/index.js';
import { membership, strictCall } from './call.js';
import type { CheckedExpression, ResolvedCall } from './check.js';
import { binding, comprehension } from './comprehension.js';
import { Constants } from './constants.js';
import type { Environment } from './environment.js';
import { EvaluationError } from './evaluation-error.js';
import { access, accessOptional, hasField } from './field-access.js';
import { alternative, conditional, logical, notStrictlyFalse } from './lazy-operators.js';
import {
  CONDITIONAL,
  IN,
  INDEX,
  LOGICAL_AND,
  LOGICAL_OR,
  NOT_STRICTLY_FALSE,
  OPTIONAL_INDEX,
  OPTIONAL_SELECT,
  OR,
  OR_VALUE,
} from './operators.js';
import { type Activation, eager, type Frame, prepared, type Step, unary } from './step.js';
import type {
  Comprehension,
  Entry,
  Expression,
  ListLiteral,
  MapLiteral,
  MessageLiteral,
  Select,
} from './syntax-tree.js';
import { DYN, type Type } from './types.js';
import { ListValue, mapOfEntries, MessageValue, OptionalValue, type Value } from './values.js';

/**
 * Evaluates an expression without a pause. Throws `EvaluationError`, or `CostLimitError` when the budget is spent. The
 * run time is proportional to the cost charged.
 */
export interface Program {
  (activation: Activation, budget: Budget): Value;
  /** The same in steps of a few milliseconds. Undefined if the expression takes no longer than a step. */
  readonly inSteps: ((activation: Activation, budget: Budget) => Steps<Value>) | undefined;
}

/** Compiles a checked expression to closures. They can run any number of times and keep no state between runs. */
export function compileExpression(checked: CheckedExpression, environment: Environment): Program {
  const step = new Compiler(checked, environment).compile(checked.root);
  const frameOf = (activation: Activation, budget: Budget): Frame => ({ activation, budget, slots: [] });
  if (step.now === undefined) {
    const inSteps = (activation: Activation, budget: Budget): Steps<Value> => step.inSteps(frameOf(activation, budget));
    return Object.assign((activation: Activation, budget: Budget) => finish(inSteps(activation, budget)), { inSteps });
  }
  const { now, inSteps } = step;
  const atOnce = (activation: Activation, budget: Budget): Value => now(frameOf(activation, budget));
  if (inSteps === undefined) return Object.assign(atOnce, { inSteps });
  const either = function* (activation: Activation, budget: Budget): Steps<Value> {
    const value = budget.tryAtOnce(() => atOnce(activation, budget));
    return value === undefined ? yield* inSteps(frameOf(activation, budget)) : value;
  };
  return Object.assign(atOnce, { inSteps: either });
}

class Compiler {
  readonly #checked: CheckedExpression;
  /** The slots of the variables in scope, innermost last. */
  readonly #scope: string[] = [];
  readonly #constants: Constants;
  readonly #environment: Environment;

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
    this.#constants = new Constants(checked, environment);
  }

  /**
   * `isPart`: the node is a branch of `?:` or an index. Upstream charges for the fields of such a node but not for its
   * variable.
   */
  compile(node: Expression, isPart = false): Step {
    const constant = this.#constants.valueOf(node);
    if (constant !== undefined) return constantStep(constant);
    switch (node.kind) {
      case 'literal':
        throw new TypeError('a literal is constant');
      case 'identifier':
        return this.#variable(node, node.name, isPart);
      case 'select':
        return this.#select(node, isPart);
      case 'call':
        return this.#call(node, isPart);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'comprehension':
        return this.#comprehension(node);
      case 'message':
        return this.#message(node);
    }
  }

  #variable(node: Expression, written: string, isPart: boolean): Step {
    const cost = isPart ? 0 : SELECT_COST;
    const name = this.#checked.names.get(node) ?? written;
    const slot = this.#scope.lastIndexOf(name);
    if (slot >= 0) {
      return {
        now({ budget, slots }) {
          budget.charge(cost);
          const value = slots[slot] ?? null;
          if (value instanceof EvaluationError) throw value;
          return value;
        },
      };
    }
    const plain = name.replace(/^\./, '');
    return {
      now({ activation, budget }) {
        budget.charge(cost);
        const value = activation(plain);
        if (value === undefined) throw new EvaluationError(`no such attribute(s): ${plain}`);
        return value;
      },
    };
  }

  #select(node: Select, isPart: boolean): Step {
    if (this.#checked.names.has(node)) return this.#variable(node, node.field, isPart);
    const operand = this.compile(node.operand, isPart);
    const { field } = node;
    const read = node.presence ? hasField : access;
    const cost = (node.presence ? 0 : SELECT_COST) + this.#startCost(node.operand, isPart || node.presence);
    return this.#readField(node.operand, operand, field, ({ budget }, target) => {
      budget.charge(cost);
      return read(target, field);
    });
  }

  #readField(operand: Expression, compiled: Step, field: string, read: (frame: Frame, target: Value) => Value): Step {
    return this.#isSlow(operand) ? prepared(compiled, field, read) : unary(compiled, read);
  }

  #isSlow(node: Expression): boolean {
    if (node.kind !== 'identifier') return false;
    const name = this.#checked.names.get(node) ?? node.name;
    return !this.#scope.includes(name) && this.#environment.slow?.has(name.replace(/^\./, '')) === true;
  }

  /** Reading from anything but a variable costs as much as reading from a variable. */
  #startCost(operand: Expression, isPart: boolean): number {
    return isPart || this.#isRead(operand) ? 0 : SELECT_COST;
  }

  #isRead(node: Expression): boolean {
    if (node.kind === 'identifier' || node.kind === 'select') return true;
    if (node.kind !== 'call') return false;
    const name = this.#checked.calls.get(node)?.name ?? node.name;
    return READS.has(name);
  }

  #call(node: Expression & { kind: 'call' }, isPart: boolean): Step {
    if (node.name === OPTIONAL_SELECT) return this.#optionalSelect(node.arguments, isPart);
    const call = this.#checked.calls.get(node);
    if (call === undefined) throw new TypeError(`call of ${node.name} was not checked`);
    const [first, second, third] = call.arguments;
    if (first !== undefined && call.name === NOT_STRICTLY_FALSE) return notStrictlyFalse(this.compile(first));
    if (first !== undefined && second !== undefined) {
      if (call.name === LOGICAL_AND) return logical(this.compile(first), this.compile(second), false);
      if (call.name === LOGICAL_OR) return logical(this.compile(first), this.compile(second), true);
      if (call.name === OR) return alternative(this.compile(first), this.compile(second), (holder) => holder);
      if (call.name === OR_VALUE) return alternative(this.compile(first), this.compile(second), contentOfOptional);
      if (call.name === IN) {
        const items = this.#constants.plainListOf(second);
        if (items !== undefined) return membership(this.compile(first), items);
      }
      if (READS.has(call.name)) {
        const extra = this.#startCost(first, isPart);
        const parts = [this.compile(first, isPart), this.compile(second, true)];
        return strictCall(call, { arguments: parts, types: this.#typesOf(call), extra });
      }
      if (call.name === CONDITIONAL && third !== undefined) {
        return conditional(this.compile(first), this.compile(second, true), this.compile(third, true));
      }
    }
    const parts = call.arguments.map((argument) => this.compile(argument));
    return strictCall(call, { arguments: parts, types: this.#typesOf(call) });
  }

  #typesOf(call: ResolvedCall): readonly Type[] {
    return call.arguments.map((argument) => this.#checked.types.get(argument) ?? DYN);
  }

  #optionalSelect([operand, field]: readonly Expression[], isPart: boolean): Step {
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'object')
      throw new TypeError('no field');
    const read = this.compile(operand, isPart);
    const name = field.value.type === 'string' ? field.value.value : '';
    const cost = SELECT_COST + this.#startCost(operand, isPart);
    return this.#readField(operand, read, name, ({ budget }, target) => {
      budget.charge(cost);
      return accessOptional(target, name);
    });
  }

  #list({ elements, optional }: ListLiteral): Step {
    const parts = elements.map((element, index) => this.#part(element, optional.has(index)));
    return listOfParts(parts, optional);
  }

  #map({ entries }: MapLiteral): Step {
    const parts = entries.flatMap(({ key, value, optional }: Entry<Expression>) => [
      this.compile(key),
      this.#part(value, optional),
    ]);
    const optional = entries.map((entry) => entry.optional);
    return mapOfParts(parts, optional);
  }

  #message({ name: rooted, fields }: MessageLiteral): Step {
    const name = rooted.replace(/^\./, '');
    const parts = fields.map(({ value, optional }) => this.#part(value, optional));
    const written = fields.map(({ key, optional }) => ({ key, optional }));
    return messageOfParts(name, parts, written);
  }

  /** A part of a literal. The value behind `?` must be an optional. */
  #part(node: Expression, optional: boolean): Step {
    const value = this.compile(node);
    return optional ? unary(value, requiredOptional) : value;
  }

  #comprehension(node: Comprehension): Step {
    const range = this.compile(node.range);
    const initial = this.compile(node.initial);
    const accumulator = this.#scope.push(node.accumulator) - 1;
    const variable = this.#scope.push(node.variable) - 1;
    const second = node.secondVariable === undefined ? undefined : this.#scope.push(node.secondVariable) - 1;
    const condition = this.compile(node.condition);
    const step = this.compile(node.step);
    this.#scope.length = accumulator + 1;
    const result = this.compile(node.result);
    this.#scope.length = accumulator;
    if (node.range.kind === 'list' && node.range.elements.length === 0) return binding(initial, result, accumulator);
    return comprehension({ range, initial, condition, step, result, accumulator, variable, second });
  }
}

// The closures of a program are made outside of the compiler, so that they keep neither it nor the syntax tree.

function constantStep(value: Value): Step {
  return { now: () => value };
}

function listOfParts(parts: readonly Step[], optional: ReadonlySet<number>): Step {
  return eager(parts, ({ budget }, values) => {
    budget.charge(LIST_COST);
    if (optional.size === 0) return ListValue.of(values);
    const contents = values.map((value, index) => contentOf(value, optional.has(index)));
    return ListValue.of(contents.filter((content) => content !== undefined));
  });
}

/** `parts`: each key and its value. `optional`: of each value. */
function mapOfParts(parts: readonly Step[], optional: readonly boolean[]): Step {
  return eager(parts, ({ budget }, values) => {
    const pairs: (readonly [Value, Value])[] = [];
    for (const [index, isOptional] of optional.entries()) {
      const value = contentOf(values[2 * index + 1] ?? null, isOptional);
      if (value !== undefined) pairs.push([values[2 * index] ?? null, value]);
    }
    budget.charge(MAP_COST);
    return mapOfEntries(pairs);
  });
}

function messageOfParts(
  name: string,
  parts: readonly Step[],
  fields: readonly { readonly key: string; readonly optional: boolean }[],
): Step {
  return eager(parts, ({ budget }, values) => {
    const set = new Map<string, Value>();
    for (const [index, { key, optional }] of fields.entries()) {
      const content = contentOf(values[index] ?? null, optional);
      if (content === undefined) set.delete(key);
      else set.set(key, content);
    }
    budget.charge(STRUCT_COST);
    return new MessageValue(name, set);
  });
}

/** Functions that read a part of a value. Upstream charges for them together with their operand. */
const READS: ReadonlySet<string> = new Set([INDEX, OPTIONAL_INDEX, OPTIONAL_SELECT]);

const contentOfOptional = ({ value = null }: OptionalValue): Value => value;

const requiredOptional = (_frame: Frame, value: Value): Value => requireOptional(value);

function requireOptional(value: Value): OptionalValue {
  if (value instanceof OptionalValue) return value;
  throw new EvaluationError('cannot initialize optional entry from non-optional value');
}

/** The value of a part of a literal; undefined for an empty optional behind `?`. */
function contentOf(value: Value, optional: boolean): Value | undefined {
  return optional ? requireOptional(value).value : value;
}
