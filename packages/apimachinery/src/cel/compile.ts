import { type Budget, LIST_COST, MAP_COST, SELECT_COST, STRUCT_COST, VISIT_COST } from './cost/budget.js';
import type { CheckedExpression, ResolvedCall } from './check.js';
import { EvaluationError, noSuchOverload } from './evaluation-error.js';
import { callCost } from './cost/call-cost.js';
import { accepts } from './dispatch.js';
import { takeVisits } from './equality.js';
import { access, accessOptional, hasField } from './field-access.js';
import { Constants } from './constants.js';
import {
  CONDITIONAL,
  IN,
  INDEX,
  LOGICAL_AND,
  LOGICAL_OR,
  NOT_STRICTLY_FALSE,
  OPTIONAL_INDEX,
  OPTIONAL_SELECT,
} from './operators.js';
import type {
  Comprehension,
  Entry,
  Expression,
  ListLiteral,
  MapLiteral,
  MessageLiteral,
  Select,
} from './syntax-tree.js';
import type { Environment } from './environment.js';
import { ListValue, mapOfEntries, MapValue, MessageValue, OptionalValue, type Value } from './values.js';

/** Looks up the value of a variable. Called for every use, so the provider should cache expensive values. */
export type Activation = (variable: string) => Value | undefined;

/**
 * Throws `EvaluationError`, or `CostLimitError` when the budget is spent. The run time is proportional to the cost
 * charged.
 */
export type Program = (activation: Activation, budget: Budget) => Value;

/** The state of an evaluation: activation, budget, and the variables of comprehensions by slot. */
interface Frame {
  readonly activation: Activation;
  readonly budget: Budget;
  /** An accumulator may hold an error, because a later element may decide the result. */
  readonly slots: (Value | EvaluationError)[];
}

type Step = (frame: Frame) => Value;

/** Compiles a checked expression to closures. They can run any number of times and keep no state between runs. */
export function compileExpression(checked: CheckedExpression, environment: Environment): Program {
  const step = new Compiler(checked, environment).compile(checked.root);
  return (activation, budget) => step({ activation, budget, slots: [] });
}

class Compiler {
  readonly #checked: CheckedExpression;
  /** The slots of the variables in scope, innermost last. */
  readonly #scope: string[] = [];
  readonly #constants: Constants;

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#constants = new Constants(checked, environment);
  }

  /**
   * `isPart`: the node is a branch of `?:` or an index. Upstream charges for the fields of such a node but not for its
   * variable.
   */
  compile(node: Expression, isPart = false): Step {
    const constant = this.#constants.valueOf(node);
    if (constant !== undefined) return () => constant;
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
      return ({ budget, slots }) => {
        budget.charge(cost);
        const value = slots[slot] ?? null;
        if (value instanceof EvaluationError) throw value;
        return value;
      };
    }
    const plain = name.replace(/^\./, '');
    return ({ activation, budget }) => {
      budget.charge(cost);
      const value = activation(plain);
      if (value === undefined) throw new EvaluationError(`no such attribute(s): ${plain}`);
      return value;
    };
  }

  #select(node: Select, isPart: boolean): Step {
    if (this.#checked.names.has(node)) return this.#variable(node, node.field, isPart);
    const operand = this.compile(node.operand, isPart);
    const { field } = node;
    const read = node.presence ? hasField : access;
    const cost = (node.presence ? 0 : SELECT_COST) + this.#startCost(node.operand, isPart || node.presence);
    return (frame) => {
      const target = operand(frame);
      frame.budget.charge(cost);
      return read(target, field);
    };
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
      if (call.name === IN && this.#constants.isPlainList(second))
        return membership(call, this.compile(first), this.compile(second));
      if (READS.has(call.name)) {
        const extra = this.#startCost(first, isPart);
        return strict(call, [this.compile(first, isPart), this.compile(second, true)], extra);
      }
      if (call.name === CONDITIONAL && third !== undefined) {
        return conditional(this.compile(first), this.compile(second, true), this.compile(third, true));
      }
    }
    return strict(
      call,
      call.arguments.map((argument) => this.compile(argument)),
    );
  }

  #optionalSelect([operand, field]: readonly Expression[], isPart: boolean): Step {
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'object')
      throw new TypeError('no field');
    const read = this.compile(operand, isPart);
    const name = field.value.type === 'string' ? field.value.value : '';
    const cost = SELECT_COST + this.#startCost(operand, isPart);
    return (frame) => {
      const target = read(frame);
      frame.budget.charge(cost);
      return accessOptional(target, name);
    };
  }

  #list(node: ListLiteral): Step {
    const steps = node.elements.map((element) => this.compile(element));
    const { optional } = node;
    return (frame) => {
      const items: Value[] = [];
      for (const [index, step] of steps.entries()) {
        const value = step(frame);
        const item = optional.has(index) ? contentOf(value) : value;
        if (item !== undefined) items.push(item);
      }
      frame.budget.charge(LIST_COST);
      return ListValue.of(items);
    };
  }

  #map(node: MapLiteral): Step {
    const steps = node.entries.map((entry: Entry<Expression>) => ({
      key: this.compile(entry.key),
      value: this.compile(entry.value),
      optional: entry.optional,
    }));
    return (frame) => {
      const entries: (readonly [Value, Value])[] = [];
      for (const step of steps) {
        const key = step.key(frame);
        const given = step.value(frame);
        const value = step.optional ? contentOf(given) : given;
        if (value === undefined) continue;
        entries.push([key, value]);
      }
      frame.budget.charge(MAP_COST);
      return mapOfEntries(entries);
    };
  }

  #message(node: MessageLiteral): Step {
    const name = node.name.replace(/^\./, '');
    const steps = node.fields.map(({ key, value, optional }) => ({ key, value: this.compile(value), optional }));
    return (frame) => {
      const fields = new Map<string, Value>();
      for (const { key, value, optional } of steps) {
        const given = value(frame);
        const content = optional ? contentOf(given) : given;
        if (content === undefined) fields.delete(key);
        else fields.set(key, content);
      }
      frame.budget.charge(STRUCT_COST);
      return new MessageValue(name, fields);
    };
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
    return (frame) => {
      const over = range(frame);
      frame.slots[accumulator] = initial(frame);
      const visit = (first: Value, other: Value): boolean => {
        frame.slots[variable] = first;
        if (second !== undefined) frame.slots[second] = other;
        if (condition(frame) !== true) return false;
        frame.slots[accumulator] = attempt(step, frame);
        return true;
      };
      visitAll(over, second !== undefined, visit);
      return result(frame);
    };
  }
}

/** Functions that read a part of a value. Upstream charges for them together with their operand. */
const READS: ReadonlySet<string> = new Set([INDEX, OPTIONAL_INDEX, OPTIONAL_SELECT]);

function notStrictlyFalse(operand: Step): Step {
  return (frame) => {
    const value = attempt(operand, frame);
    frame.budget.charge(SELECT_COST);
    return value !== false;
  };
}

/** Membership in a literal list is free. */
function membership(call: ResolvedCall, value: Step, list: Step): Step {
  return (frame) => {
    const args = [value(frame), list(frame)];
    for (const overload of call.overloads) if (accepts(overload, args)) return overload.implementation(...args);
    throw noSuchOverload();
  };
}

/** The result of a step, or the error that it throws. */
function attempt(step: Step, frame: Frame): Value | EvaluationError {
  try {
    return step(frame);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** `&&` and `||`: one `decisive` operand decides, even if the other fails. */
function logical(left: Step, right: Step, decisive: boolean): Step {
  return (frame) => {
    const first = attempt(left, frame);
    if (first === decisive) return decisive;
    const second = attempt(right, frame);
    if (second === decisive) return decisive;
    if (first instanceof EvaluationError) throw first;
    if (second instanceof EvaluationError) throw second;
    if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noSuchOverload();
    return !decisive;
  };
}

function conditional(condition: Step, yes: Step, no: Step): Step {
  return (frame) => {
    const decision = condition(frame);
    if (typeof decision !== 'boolean') throw noSuchOverload();
    return decision ? yes(frame) : no(frame);
  };
}

/** Calls the first overload that accepts the arguments. */
function strict(call: ResolvedCall, steps: readonly Step[], extra = 0): Step {
  return (frame) => {
    const args = steps.map((step) => step(frame));
    for (const overload of call.overloads) {
      if (!accepts(overload, args)) continue;
      const cost = callCost(overload, args);
      frame.budget.charge(extra + cost);
      takeVisits();
      const result = overload.implementation(...args);
      // Upstream charges for the size of the operands, not for their nested values. Charge for those after the call.
      frame.budget.charge(Math.max(0, takeVisits() * VISIT_COST - cost));
      return result;
    }
    throw noSuchOverload();
  };
}

/** Calls `visit` with the elements of a list, the keys of a map, or both, until it returns false. */
function visitAll(range: Value, hasTwo: boolean, visit: (first: Value, second: Value) => boolean): void {
  if (range instanceof ListValue) {
    for (let index = 0; index < range.size; index++) {
      const element = range.at(index);
      if (!(hasTwo ? visit(BigInt(index), element) : visit(element, null))) return;
    }
  } else if (range instanceof MapValue) {
    for (const key of range.keys()) if (!visit(key, hasTwo ? (range.get(key) ?? null) : null)) return;
  } else throw noSuchOverload();
}

/** The content of an optional. Throws if the value behind `?` is not one. */
function contentOf(value: Value): Value | undefined {
  if (!(value instanceof OptionalValue))
    throw new EvaluationError('cannot initialize optional entry from non-optional value');
  return value.value;
}
