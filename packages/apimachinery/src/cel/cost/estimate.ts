import type { CheckedExpression } from '../check.js';
import { ACCUMULATOR } from '../macros.js';
import { CONDITIONAL, INDEX, LOGICAL_AND, LOGICAL_OR } from '../operators.js';
import type { Call, Comprehension, Expression } from '../syntax-tree.js';
import type { Type } from '../types.js';
import { LIST_COST, MAP_COST, SELECT_COST, STRUCT_COST } from './budget.js';
import { type CallEstimate, eitherOf, estimateCall, type EstimatedArgument } from './estimate-call.js';
import { joinEntries, KnownValues, type SizeOfPath, type Variable } from './known-values.js';
import { exactly, NOTHING, product, type Range, sum, UNKNOWN, union } from './range.js';

/**
 * The minimum and maximum cost of an evaluation, in the units of a `Budget`. Upstream: cel-go `checker/cost.go`, with
 * apiserver's additions.
 */
export function estimateCost(checked: CheckedExpression, sizeOfPath: SizeOfPath): Range {
  return new Estimator(checked, sizeOfPath).cost(checked.root);
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #known: KnownValues;

  constructor(checked: CheckedExpression, sizeOfPath: SizeOfPath) {
    this.#checked = checked;
    this.#known = new KnownValues(checked, sizeOfPath);
  }

  cost(node: Expression): Range {
    switch (node.kind) {
      case 'literal':
        return NOTHING;
      case 'identifier':
        this.#known.nameVariable(node, node.name);
        return exactly(SELECT_COST);
      case 'select': {
        const name = this.#checked.names.get(node);
        if (name !== undefined) {
          this.#known.setPath(node, [name]);
          return exactly(SELECT_COST);
        }
        const operand = this.cost(node.operand);
        if (node.presence) return operand;
        this.#known.setPath(node, this.#known.pathBelow(node.operand, node.field));
        return hasFields(this.#known.type(node.operand)) ? sum(operand, exactly(SELECT_COST)) : operand;
      }
      case 'call':
        return this.#call(node);
      case 'list': {
        const cost = sum(...node.elements.map((element) => this.cost(element)), exactly(LIST_COST));
        this.#known.setEntries(node, { kind: 'list', key: exactly(1), value: this.#known.commonSize(node.elements) });
        return cost;
      }
      case 'map': {
        const parts = node.entries.flatMap((entry) => [entry.key, entry.value]);
        const cost = sum(...parts.map((part) => this.cost(part)), exactly(MAP_COST));
        const key = this.#known.commonSize(node.entries.map((entry) => entry.key));
        const value = this.#known.commonSize(node.entries.map((entry) => entry.value));
        this.#known.setEntries(node, { kind: 'map', key, value });
        return cost;
      }
      case 'message':
        return sum(...node.fields.map((field) => this.cost(field.value)), exactly(STRUCT_COST));
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#fold(node);
    }
  }

  #call(node: Call): Range {
    const resolved = this.#checked.calls.get(node);
    if (resolved === undefined) {
      // An optional selection costs its operand and one step.
      const [operand] = node.arguments;
      return operand === undefined ? NOTHING : sum(this.cost(operand), exactly(SELECT_COST));
    }
    const costs = resolved.arguments.map((argument) => this.cost(argument));
    const [first = NOTHING, second = NOTHING, third = NOTHING] = costs;
    if (resolved.name === LOGICAL_AND || resolved.name === LOGICAL_OR) {
      return { min: first.min, max: sum(first, second).max };
    }
    if (resolved.name === CONDITIONAL) {
      const [, yes, no] = resolved.arguments;
      if (yes !== undefined && no !== undefined) this.#either(node, yes, no);
      return sum(first, union(second, third));
    }
    if (resolved.name === 'dyn') {
      const [argument] = resolved.arguments;
      if (argument !== undefined) this.#known.copy(node, argument);
      return sum(first, exactly(1));
    }
    const args = resolved.arguments.map((argument) => this.#argument(argument));
    const estimate = eitherOf(resolved.overloads.map(({ name, id }) => estimateCall(name, id, args)));
    this.#note(node, resolved.name, resolved.arguments, estimate);
    return sum(...costs, estimate.cost);
  }

  /** Records what is known of the result of a call. */
  #note(node: Call, name: string, args: readonly Expression[], estimate: CallEstimate): void {
    const known = this.#known;
    const [left, right] = args;
    if (left === undefined) return;
    if (name === INDEX) {
      known.setPath(node, known.pathBelow(left, known.type(left).kind === 'map' ? '@values' : '@items'));
      known.setSize(node, known.entriesOf(left)?.value);
      return;
    }
    known.setSize(node, estimate.size);
    if (right === undefined || known.type(node).kind !== 'list') return;
    known.setEntries(node, joinEntries(known.entriesOf(left), known.entriesOf(right)));
  }

  #either(node: Expression, yes: Expression, no: Expression): void {
    const known = this.#known;
    known.setSize(node, union(known.size(yes), known.size(no)));
    known.setEntries(node, joinEntries(known.entriesOf(yes), known.entriesOf(no)));
  }

  #fold(node: Comprehension): Range {
    const known = this.#known;
    const before = sum(this.cost(node.range), this.cost(node.initial));
    const outside = known.depth;
    known.declare(node.accumulator, known.asVariable(node.initial));
    const inside = known.depth;
    this.#declareItems(node);
    const turn = sum(this.cost(node.condition), this.cost(node.step));
    const stepEntries = known.entriesOf(node.step);
    known.leave(inside);
    const result = this.cost(node.result);
    known.leave(outside);
    const count = known.size(node.range);
    if (node.initial.kind === 'literal') known.setSize(node, known.size(node.initial));
    else if (node.initial.kind === 'list' || node.initial.kind === 'map') {
      known.setSize(node, count);
      known.setEntries(node, stepEntries);
    }
    return sum(before, result, product(count, turn));
  }

  /** Declares the variables of a comprehension that stand for the keys and values of its range. */
  #declareItems({ range, variable, secondVariable }: Comprehension): void {
    const known = this.#known;
    const entries = known.entriesOf(range);
    const isList = (entries?.kind ?? known.type(range).kind) === 'list';
    const keys: Variable = {
      path: known.pathBelow(range, isList ? '@indices' : '@keys'),
      size: entries?.key,
      entries: undefined,
    };
    const values: Variable = {
      path: known.pathBelow(range, isList ? '@items' : '@values'),
      size: entries?.value,
      entries: undefined,
    };
    known.declare(variable, secondVariable !== undefined || !isList ? keys : values);
    if (secondVariable !== undefined) known.declare(secondVariable, values);
  }

  #binding(node: Comprehension): Range {
    const known = this.#known;
    const before = sum(this.cost(node.range), this.cost(node.initial));
    const outside = known.depth;
    known.declare(node.accumulator, known.asVariable(node.initial));
    const result = this.cost(node.result);
    known.leave(outside);
    known.copy(node, node.result);
    return sum(before, result);
  }

  #argument(node: Expression): EstimatedArgument {
    const known = this.#known;
    const path = known.pathOf(node);
    const elementSize = path === undefined ? UNKNOWN : known.sizeAt([...path, '@items']);
    return { node, type: known.type(node), size: known.size(node), elementSize };
  }
}

/** A comprehension over an empty list, which only binds a name to its initial value. */
function isBinding(node: Comprehension): boolean {
  const { condition, range } = node;
  const never = condition.kind === 'literal' && condition.value.type === 'bool' && !condition.value.value;
  return range.kind === 'list' && range.elements.length === 0 && never && node.accumulator !== ACCUMULATOR;
}

function hasFields({ kind }: Type): boolean {
  return kind === 'map' || kind === 'object' || kind === 'parameter';
}
