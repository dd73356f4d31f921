import type { CheckedExpression } from '../check.js';
import { ACCUMULATOR } from '../macros.js';
import { CONDITIONAL, INDEX, LOGICAL_AND, LOGICAL_OR } from '../operators.js';
import type { Call, Comprehension, Expression } from '../syntax-tree.js';
import { DYN, isOptional, parameterOf, type Type } from '../types.js';
import { LIST_COST, MAP_COST, SELECT_COST, STRUCT_COST } from './budget.js';
import { type CallEstimate, eitherOf, estimateCall, type EstimatedArgument } from './estimate-call.js';
import { exactly, NOTHING, product, type Range, sum, UNKNOWN, union } from './range.js';

/**
 * The size range of the value at a path, such as `['self', 'items', '@items', 'name']`, with `@keys` and `@values` of
 * maps and `@indices` of lists. Undefined if unknown.
 */
export type SizeOfPath = (path: readonly string[]) => Range | undefined;

/**
 * The minimum and maximum cost of an evaluation, in the units of a `Budget`. Upstream: cel-go `checker/cost.go`, with
 * apiserver's additions.
 */
export function estimateCost(checked: CheckedExpression, sizeOfPath: SizeOfPath): Range {
  return new Estimator(checked, sizeOfPath).cost(checked.root);
}

/** The sizes of keys and values of a container built in the expression. */
interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

interface Variable {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOfPath: SizeOfPath;
  readonly #paths = new Map<Expression, readonly string[]>();
  readonly #sizes = new Map<Expression, Range>();
  readonly #entries = new Map<Expression, EntrySizes>();
  readonly #variables: { readonly name: string; readonly variable: Variable }[] = [];

  constructor(checked: CheckedExpression, sizeOfPath: SizeOfPath) {
    this.#checked = checked;
    this.#sizeOfPath = sizeOfPath;
  }

  cost(node: Expression): Range {
    switch (node.kind) {
      case 'literal':
        return NOTHING;
      case 'identifier':
        this.#nameVariable(node, node.name);
        return exactly(SELECT_COST);
      case 'select': {
        const name = this.#checked.names.get(node);
        if (name !== undefined) {
          this.#setPath(node, [name]);
          return exactly(SELECT_COST);
        }
        const operand = this.cost(node.operand);
        if (node.presence) return operand;
        this.#setPath(node, this.#extend(this.#pathOf(node.operand), node.field));
        return this.#hasFields(this.#type(node.operand)) ? sum(operand, exactly(SELECT_COST)) : operand;
      }
      case 'call':
        return this.#call(node);
      case 'list': {
        const cost = sum(...node.elements.map((element) => this.cost(element)), exactly(LIST_COST));
        this.#entries.set(node, { kind: 'list', key: exactly(1), value: this.#commonSize(node.elements) });
        return cost;
      }
      case 'map': {
        const parts = node.entries.flatMap((entry) => [entry.key, entry.value]);
        const cost = sum(...parts.map((part) => this.cost(part)), exactly(MAP_COST));
        const key = this.#commonSize(node.entries.map((entry) => entry.key));
        const value = this.#commonSize(node.entries.map((entry) => entry.value));
        this.#entries.set(node, { kind: 'map', key, value });
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
      if (argument !== undefined) this.#copy(node, argument);
      return sum(first, exactly(1));
    }
    const args = resolved.arguments.map((argument) => this.#argument(argument));
    const estimate = eitherOf(resolved.overloads.map(({ name, id }) => estimateCall(name, id, args)));
    this.#note(node, resolved.name, resolved.arguments, estimate);
    return sum(...costs, estimate.cost);
  }

  /** Records what is known of the result of a call. */
  #note(node: Call, name: string, args: readonly Expression[], estimate: CallEstimate): void {
    const [left, right] = args;
    if (left === undefined) return;
    if (name === INDEX) {
      const step = this.#type(left).kind === 'map' ? '@values' : '@items';
      this.#setPath(node, this.#extend(this.#pathOf(left), step));
      const size = this.#entriesOf(left)?.value;
      if (size !== undefined) this.#sizes.set(node, size);
      return;
    }
    if (estimate.size !== undefined) this.#sizes.set(node, estimate.size);
    const entries = right === undefined ? undefined : joinEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (this.#type(node).kind === 'list' && entries !== undefined) this.#entries.set(node, entries);
  }

  #either(node: Expression, yes: Expression, no: Expression): void {
    this.#sizes.set(node, union(this.#size(yes), this.#size(no)));
    const entries = joinEntries(this.#entriesOf(yes), this.#entriesOf(no));
    if (entries !== undefined) this.#entries.set(node, entries);
  }

  #fold(node: Comprehension): Range {
    const before = sum(this.cost(node.range), this.cost(node.initial));
    const depth = this.#variables.length;
    this.#declare(node.accumulator, this.#asVariable(node.initial));
    const inside = this.#variables.length;
    const entries = this.#entriesOf(node.range);
    const isList = (entries?.kind ?? this.#type(node.range).kind) === 'list';
    const path = this.#pathOf(node.range);
    const keys: Variable = {
      path: this.#extend(path, isList ? '@indices' : '@keys'),
      size: entries?.key,
      entries: undefined,
    };
    const values: Variable = {
      path: this.#extend(path, isList ? '@items' : '@values'),
      size: entries?.value,
      entries: undefined,
    };
    this.#declare(node.variable, node.secondVariable !== undefined || !isList ? keys : values);
    if (node.secondVariable !== undefined) this.#declare(node.secondVariable, values);
    const turn = sum(this.cost(node.condition), this.cost(node.step));
    const stepEntries = this.#entriesOf(node.step);
    this.#variables.length = inside;
    const result = this.cost(node.result);
    this.#variables.length = depth;
    const count = this.#size(node.range);
    if (node.initial.kind === 'literal') this.#sizes.set(node, this.#size(node.initial));
    else if (node.initial.kind === 'list' || node.initial.kind === 'map') {
      this.#sizes.set(node, count);
      if (stepEntries !== undefined) this.#entries.set(node, stepEntries);
    }
    return sum(before, result, product(count, turn));
  }

  #binding(node: Comprehension): Range {
    const before = sum(this.cost(node.range), this.cost(node.initial));
    this.#declare(node.accumulator, this.#asVariable(node.initial));
    const result = this.cost(node.result);
    this.#variables.pop();
    this.#copy(node, node.result);
    return sum(before, result);
  }

  #argument(node: Expression): EstimatedArgument {
    const path = this.#pathOf(node);
    const elementPath = path === undefined ? undefined : [...path, '@items'];
    const elementSize = (elementPath && this.#sizeOfPath(elementPath)) ?? UNKNOWN;
    return { node, type: this.#type(node), size: this.#size(node), elementSize };
  }

  #size(node: Expression): Range {
    return this.#knownSize(node) ?? UNKNOWN;
  }

  #knownSize(node: Expression): Range | undefined {
    const known = this.#sizes.get(node) ?? literalSize(node);
    if (known !== undefined) return known;
    const path = this.#pathOf(node);
    const declared = path === undefined || path[0] === ACCUMULATOR ? undefined : this.#sizeOfPath(path);
    if (declared !== undefined) return declared;
    if (isScalar(this.#type(node))) return exactly(1);
    return node.kind === 'identifier' ? this.#variable(node.name)?.size : undefined;
  }

  #commonSize(nodes: readonly Expression[]): Range {
    const [first, ...rest] = nodes.map((node) => this.#size(node));
    return rest.reduce(union, first ?? NOTHING);
  }

  #entriesOf(node: Expression): EntrySizes | undefined {
    return this.#entries.get(node) ?? (node.kind === 'identifier' ? this.#variable(node.name)?.entries : undefined);
  }

  #pathOf(node: Expression): readonly string[] | undefined {
    return (node.kind === 'identifier' ? this.#variable(node.name)?.path : undefined) ?? this.#paths.get(node);
  }

  #setPath(node: Expression, path: readonly string[] | undefined): void {
    if (path !== undefined) this.#paths.set(node, path);
  }

  #nameVariable(node: Expression, name: string): void {
    const variable = this.#variable(name);
    this.#setPath(node, variable === undefined ? [name] : variable.path);
  }

  /** Upstream starts an unknown path with its last step, so this does too. */
  #extend(path: readonly string[] | undefined, step: string): readonly string[] {
    return [...(path ?? []), step];
  }

  #declare(name: string, variable: Variable): void {
    this.#variables.push({ name, variable });
  }

  #variable(name: string): Variable | undefined {
    return this.#variables.findLast((declared) => declared.name === name)?.variable;
  }

  #asVariable(node: Expression): Variable {
    return { path: this.#pathOf(node), size: this.#knownSize(node), entries: this.#entriesOf(node) };
  }

  #copy(to: Expression, from: Expression): void {
    const size = this.#knownSize(from);
    if (size !== undefined) this.#sizes.set(to, size);
    const entries = this.#entriesOf(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #type(node: Expression): Type {
    return this.#checked.types.get(node) ?? DYN;
  }

  #hasFields({ kind }: Type): boolean {
    return kind === 'map' || kind === 'object' || kind === 'parameter';
  }
}

/** A comprehension over an empty list, which only binds a name to its initial value. */
function isBinding(node: Comprehension): boolean {
  const { condition, range } = node;
  const never = condition.kind === 'literal' && condition.value.type === 'bool' && !condition.value.value;
  return range.kind === 'list' && range.elements.length === 0 && never && node.accumulator !== ACCUMULATOR;
}

function joinEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  if (left === undefined || right === undefined) return undefined;
  return { kind: left.kind, key: union(left.key, right.key), value: union(left.value, right.value) };
}

function literalSize(node: Expression): Range | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const { type, value } = { value: undefined, ...node.value };
  if (type === 'string' && typeof value === 'string') return exactly(Array.from(value).length);
  return exactly(value instanceof Uint8Array ? value.length : 1);
}

function isScalar(type: Type): boolean {
  if (isOptional(type)) return isScalar(parameterOf(type, 0));
  return ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'].includes(type.kind);
}
