import type { CheckedExpression } from './check.js';
import { accepts } from './dispatch.js';
import type { Environment } from './environment.js';
import { EvaluationError } from './evaluation-error.js';
import type { Expression, LiteralValue } from './syntax-tree.js';
import { ListValue, mapOfEntries, TypeValue, UnsignedInteger, type Value } from './values.js';

const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/**
 * The parts of an expression that are known before it runs and cost nothing: literals, lists and maps of literals,
 * names of types, and conversions of these. Upstream: cel-go `interpreter/decorators.go`.
 */
export class Constants {
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  readonly #known = new Map<Expression, Value | undefined>();
  readonly #problems = new Map<Expression, string>();

  constructor(checked: CheckedExpression, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  /** Undefined if the value is not constant. */
  valueOf(node: Expression): Value | undefined {
    if (!this.#known.has(node)) this.#known.set(node, this.#find(node));
    return this.#known.get(node);
  }

  /** Why a conversion of constants fails whenever it runs. Undefined for every other node. */
  problemOf(node: Expression): string | undefined {
    return node.kind === 'call' && this.valueOf(node) === undefined ? this.#problems.get(node) : undefined;
  }

  /** The value of a non-empty list of numbers, strings and booleans; undefined for every other node. */
  plainListOf(node: Expression): ListValue | undefined {
    const list = this.valueOf(node);
    if (!(list instanceof ListValue) || list.size === 0) return undefined;
    for (const item of list) if (typeof item === 'object' && !(item instanceof UnsignedInteger)) return undefined;
    return list;
  }

  #find(node: Expression): Value | undefined {
    switch (node.kind) {
      case 'literal':
        return valueOfLiteral(node.value);
      case 'identifier':
      case 'select':
        return this.#type(node);
      case 'list': {
        const items = node.optional.size > 0 ? undefined : this.#all(node.elements);
        return items && ListValue.of(items);
      }
      case 'map': {
        if (node.entries.some(({ optional }) => optional)) return undefined;
        const keys = this.#all(node.entries.map(({ key }) => key));
        const values = this.#all(node.entries.map(({ value }) => value));
        if (keys === undefined || values === undefined) return undefined;
        return mapOfEntries(keys.map((key, index) => [key, values[index] ?? null] as const));
      }
      case 'call':
        return this.#conversion(node);
      case 'message':
      case 'comprehension':
        return undefined;
    }
  }

  #all(nodes: readonly Expression[]): Value[] | undefined {
    const values: Value[] = [];
    for (const node of nodes) {
      const value = this.valueOf(node);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  /** A variable of the same name hides a type. */
  #type(node: Expression): Value | undefined {
    const name = this.#checked.names.get(node)?.replace(/^\./, '');
    const { variables, types, messages } = this.#environment;
    if (name === undefined || variables.has(name)) return undefined;
    if (!types.has(name) && messages?.(name) === undefined) return undefined;
    return this.#checked.types.get(node)?.kind === 'type' ? new TypeValue(name) : undefined;
  }

  #conversion(node: Expression): Value | undefined {
    const call = this.#checked.calls.get(node);
    if (call === undefined || !CONVERSIONS.has(call.name)) return undefined;
    const args = this.#all(call.arguments);
    const overload = args && call.overloads.find((each) => accepts(each, args));
    if (args === undefined || overload === undefined) return undefined;
    try {
      return overload.implementation(...args);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      this.#problems.set(node, error.message);
      return undefined;
    }
  }
}

function valueOfLiteral(literal: LiteralValue): Value {
  if (literal.type === 'null') return null;
  return literal.type === 'uint' ? new UnsignedInteger(literal.value) : literal.value;
}
