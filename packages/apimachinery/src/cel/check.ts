import { dottedName } from './dotted-name.js';
import type { Environment } from './environment.js';
import { LOGICAL_AND, LOGICAL_OR, OPTIONAL_SELECT } from './operators.js';
import type { Overload } from './overload.js';
import { Scopes } from './scopes.js';
import { SourceError, type SourceProblem } from './source-error.js';
import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  LiteralValue,
  MapLiteral,
  MessageLiteral,
  Select,
} from './syntax-tree.js';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  ERROR,
  formatArguments,
  formatType,
  INT,
  isDynamic,
  isOptional,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  parameter,
  parameterOf,
  sameType,
  STRING,
  type Type,
  UINT,
  unwrapOptional,
} from './types.js';
import { assign, moreGeneral, Substitutions, substitute } from './unify.js';

/** The function that a call resolves to. */
export interface ResolvedCall {
  readonly name: string;
  /** In order of declaration. There are several if only run-time types can decide. */
  readonly overloads: readonly Overload[];
  /** All arguments. The target comes first, unless it is part of the function's name. */
  readonly arguments: readonly Expression[];
}

/** An expression that passed the type check. */
export interface CheckedExpression {
  readonly source: string;
  readonly root: Expression;
  /** The type of every node that has a value. */
  readonly types: ReadonlyMap<Expression, Type>;
  readonly calls: ReadonlyMap<Expression, ResolvedCall>;
  /** The variable behind each identifier and each selection that is part of a dotted name. */
  readonly names: ReadonlyMap<Expression, string>;
}

/**
 * Infers the types of all nodes. Throws `SourceError` with every problem, in upstream's words (cel-go
 * `checker/checker.go`, `checker/errors.go`).
 */
export function checkExpression(source: string, root: Expression, environment: Environment): CheckedExpression {
  const checker = new Checker(environment);
  checker.check(root);
  if (checker.problems.length > 0) throw new SourceError(source, checker.problems);
  return { source, root, types: checker.finalTypes(), calls: checker.calls, names: checker.names };
}

class Checker {
  readonly problems: SourceProblem[] = [];
  readonly calls = new Map<Expression, ResolvedCall>();
  readonly names = new Map<Expression, string>();
  readonly #types = new Map<Expression, Type>();
  readonly #environment: Environment;
  readonly #scopes: Scopes;
  readonly #known = new Substitutions();
  #freeCount = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#scopes = new Scopes(environment);
  }

  /** Types that are still unknown become dyn. */
  finalTypes(): Map<Expression, Type> {
    return new Map([...this.#types].map(([node, type]) => [node, substitute(this.#known, type, true)]));
  }

  check(node: Expression): Type {
    // A node that a macro uses twice has one type.
    const type = this.#types.get(node) ?? this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  #typeOf(node: Expression): Type {
    switch (node.kind) {
      case 'literal':
        return typeOfLiteral(node.value);
      case 'identifier':
        return this.#variable(node, node.name) ?? this.#undeclared(node, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return node.name === OPTIONAL_SELECT ? this.#optionalSelect(node) : this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'message':
        return this.#message(node);
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  /** The type of the variable or type with that name. */
  #variable(node: Expression, path: string): Type | undefined {
    const found = this.#scopes.find(path);
    if (found !== undefined) this.names.set(node, found.name);
    return found?.type;
  }

  #select(node: Select): Type {
    const path = dottedName(node);
    const [head = ''] = path?.split('.') ?? [];
    if (path !== undefined && !this.#scopes.isLocal(head)) {
      const variable = this.#variable(node, path);
      if (variable !== undefined) return variable;
    }
    const type = this.#field(node, node.operand, node.field, false);
    return node.presence ? BOOL : substitute(this.#known, type);
  }

  #optionalSelect(node: Call): Type {
    const [operand, field] = node.arguments;
    if (operand === undefined || field?.kind !== 'literal' || field.value.type !== 'string') return ERROR;
    this.#types.set(field, STRING);
    return substitute(this.#known, this.#field(node, operand, field.value.value, true));
  }

  #field(node: Expression, operand: Expression, field: string, optional: boolean): Type {
    const operandType = substitute(this.#known, this.check(operand));
    const target = unwrapOptional(operandType);
    const type = this.#fieldOf(node, target, field);
    return isOptional(operandType) || optional ? optionalOf(type) : type;
  }

  #fieldOf(node: Expression, target: Type, field: string): Type {
    if (target.kind === 'map') return parameterOf(target, 1);
    if (target.kind === 'object') {
      return target.fields?.get(field) ?? this.#problem(node, `undefined field '${field}'`);
    }
    if (target.kind === 'parameter') {
      this.#fits(DYN, target);
      return DYN;
    }
    if (!isDynamic(target)) this.#problem(node, `type '${formatType(target)}' does not support field selection`);
    return DYN;
  }

  #call(node: Call): Type {
    for (const argument of node.arguments) this.check(argument);
    const { functions } = this.#environment;
    if (node.target === undefined) {
      const name = node.name.startsWith('.') ? node.name.slice(1) : node.name;
      const overloads = functions.get(name);
      if (overloads === undefined) return this.#undeclared(node, name);
      return this.#resolve(node, name, overloads, node.arguments, false);
    }
    const path = dottedName(node.target);
    const qualified = path === undefined ? undefined : `${path.replace(/^\./, '')}.${node.name}`;
    const namespaced = qualified === undefined ? undefined : functions.get(qualified);
    if (qualified !== undefined && namespaced !== undefined) {
      return this.#resolve(node, qualified, namespaced, node.arguments, false);
    }
    this.check(node.target);
    const overloads = functions.get(node.name);
    if (overloads === undefined) return this.#undeclared(node, node.name);
    return this.#resolve(node, node.name, overloads, [node.target, ...node.arguments], true);
  }

  #resolve(
    node: Call,
    name: string,
    overloads: readonly Overload[],
    args: readonly Expression[],
    isMember: boolean,
  ): Type {
    const types = args.map((argument) => this.check(argument));
    const styled = overloads.filter((overload) => overload.signature.isMember === isMember);
    if (name === LOGICAL_AND || name === LOGICAL_OR) return this.#logical(node, name, styled, args);
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of styled) {
      const { wanted, given } = this.#instantiate(overload);
      if (!assign(this.#known, types, wanted)) continue;
      matching.push(overload);
      const type = substitute(this.#known, given);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !sameType(result, type)) result = DYN;
    }
    if (result === undefined) {
      const shown = types.map((type) => substitute(this.#known, type, true));
      const applied = formatArguments(shown, isMember);
      return this.#problem(node, `found no matching overload for '${name}' applied to '${applied}'`);
    }
    this.calls.set(node, { name, overloads: matching, arguments: args });
    return result;
  }

  /** Reports the operand that does not fit, not the operator. */
  #logical(node: Call, name: string, overloads: readonly Overload[], args: readonly Expression[]): Type {
    const fitting = args.filter((argument) => {
      const type = this.check(argument);
      if (this.#fits(type, BOOL)) return true;
      this.#mismatch(argument, BOOL, type);
      return false;
    });
    if (fitting.length < args.length) return ERROR;
    this.calls.set(node, { name, overloads, arguments: args });
    return BOOL;
  }

  /** The types of an overload, with fresh type parameters. */
  #instantiate({ signature }: Overload): { wanted: readonly Type[]; given: Type } {
    const fresh = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind === 'parameter') {
        const known = fresh.get(type.name) ?? this.#free();
        fresh.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(rename) };
    };
    return { wanted: signature.arguments.map(rename), given: rename(signature.result) };
  }

  #list(node: ListLiteral): Type {
    let element: Type | undefined;
    for (const [index, item] of node.elements.entries()) {
      element = this.#join(element, this.#element(item, node.optional.has(index)));
    }
    return listOf(element ?? this.#free());
  }

  #map(node: MapLiteral): Type {
    let key: Type | undefined;
    let value: Type | undefined;
    for (const entry of node.entries) {
      key = this.#join(key, this.check(entry.key));
      value = this.#join(value, this.#element(entry.value, entry.optional));
    }
    return mapOf(key ?? this.#free(), value ?? this.#free());
  }

  #message(node: MessageLiteral): Type {
    const message = this.#environment.messages?.(node.name.replace(/^\./, ''));
    if (message === undefined) return this.#undeclared(node, node.name);
    for (const { key, value, optional, position } of node.fields) {
      const given = this.#element(value, optional);
      const wanted = message.fields?.get(key);
      if (wanted === undefined) this.#report(position, `undefined field '${key}'`);
      else if (!this.#fits(wanted, given)) {
        const types = `'${formatType(wanted)}' but provided type is '${formatType(given)}'`;
        this.#report(position, `expected type of field '${key}' is ${types}`);
      }
    }
    return message;
  }

  #element(node: Expression, optional: boolean): Type {
    const type = this.check(node);
    if (!optional) return type;
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(node, optionalOf(type), type);
    return unwrapOptional(type);
  }

  /** Elements of different types become dyn; `literalProblems` reports them. */
  #join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.#fits(previous, current) ? moreGeneral(previous, current) : DYN;
  }

  #comprehension(node: Comprehension): Type {
    const range = substitute(this.#known, this.check(node.range));
    const accumulated = this.check(node.initial);
    const result = this.#scopes.within(new Map([[node.accumulator, accumulated]]), () => {
      const [first, second] = this.#rangeTypes(node, range);
      const variables = new Map([[node.variable, first]]);
      if (node.secondVariable !== undefined) variables.set(node.secondVariable, second);
      this.#scopes.within(variables, () => {
        this.#expect(node.condition, BOOL);
        this.#expect(node.step, accumulated);
      });
      return this.check(node.result);
    });
    return substitute(this.#known, result);
  }

  #rangeTypes(node: Comprehension, range: Type): [first: Type, second: Type] {
    const hasTwo = node.secondVariable !== undefined;
    if (range.kind === 'list') return hasTwo ? [INT, parameterOf(range, 0)] : [parameterOf(range, 0), ERROR];
    if (range.kind === 'map') return [parameterOf(range, 0), parameterOf(range, 1)];
    if ((isDynamic(range) && !sameType(range, ANY)) || range.kind === 'parameter') {
      this.#fits(DYN, range);
      return [DYN, DYN];
    }
    const text = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#problem(node.range, text);
    return [ERROR, ERROR];
  }

  #expect(node: Expression, type: Type): void {
    const found = this.check(node);
    if (!this.#fits(type, found)) this.#mismatch(node, type, found);
  }

  #fits(to: Type, from: Type): boolean {
    return assign(this.#known, [to], [from]);
  }

  #free(): Type {
    return parameter(`_var${this.#freeCount++}`);
  }

  #mismatch(node: Expression, wanted: Type, found: Type): Type {
    return this.#problem(node, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`);
  }

  #undeclared(node: Expression, name: string): Type {
    return this.#problem(node, `undeclared reference to '${name}' (in container '')`);
  }

  #problem(node: Expression, message: string): Type {
    return this.#report(node.position, message);
  }

  #report(position: number, message: string): Type {
    this.problems.push({ position, message });
    return ERROR;
  }
}

const LITERALS: Readonly<Record<LiteralValue['type'], Type>> = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  int: INT,
  null: NULL,
  string: STRING,
  uint: UINT,
};

function typeOfLiteral({ type }: LiteralValue): Type {
  return LITERALS[type];
}
