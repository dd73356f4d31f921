import type { CheckedExpression } from '../check.js';
import { ACCUMULATOR } from '../macros.js';
import type { Expression } from '../syntax-tree.js';
import { DYN, isOptional, parameterOf, type Type } from '../types.js';
import { exactly, NOTHING, type Range, UNKNOWN, union } from './range.js';

/**
 * The size range of the value at a path, such as `['self', 'items', '@items', 'name']`, with `@keys` and `@values` of
 * maps and `@indices` of lists. Undefined if unknown.
 */
export type SizeOfPath = (path: readonly string[]) => Range | undefined;

/** The sizes of keys and values of a container built in the expression. */
export interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** What is known of the value of a variable. */
export interface Variable {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** What an estimate knows of the values of an expression: where they come from, and how large they and their entries are. */
export class KnownValues {
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

  /** Any size, if nothing is known. */
  size(node: Expression): Range {
    return this.knownSize(node) ?? UNKNOWN;
  }

  knownSize(node: Expression): Range | undefined {
    const known = this.#sizes.get(node) ?? literalSize(node);
    if (known !== undefined) return known;
    const path = this.pathOf(node);
    const declared = path === undefined || path[0] === ACCUMULATOR ? undefined : this.#sizeOfPath(path);
    if (declared !== undefined) return declared;
    if (isScalar(this.type(node))) return exactly(1);
    return node.kind === 'identifier' ? this.#variable(node.name)?.size : undefined;
  }

  commonSize(nodes: readonly Expression[]): Range {
    const [first, ...rest] = nodes.map((node) => this.size(node));
    return rest.reduce(union, first ?? NOTHING);
  }

  entriesOf(node: Expression): EntrySizes | undefined {
    return this.#entries.get(node) ?? (node.kind === 'identifier' ? this.#variable(node.name)?.entries : undefined);
  }

  pathOf(node: Expression): readonly string[] | undefined {
    return (node.kind === 'identifier' ? this.#variable(node.name)?.path : undefined) ?? this.#paths.get(node);
  }

  setPath(node: Expression, path: readonly string[] | undefined): void {
    if (path !== undefined) this.#paths.set(node, path);
  }

  /** Sets the path of an identifier: that of its variable, or its own name. */
  nameVariable(node: Expression, name: string): void {
    const variable = this.#variable(name);
    this.setPath(node, variable === undefined ? [name] : variable.path);
  }

  /** The path of an item, a key or a field of the value. Upstream starts an unknown path with its last step, so this does too. */
  pathBelow(node: Expression, step: string): readonly string[] {
    return [...(this.pathOf(node) ?? []), step];
  }

  sizeAt(path: readonly string[]): Range {
    return this.#sizeOfPath(path) ?? UNKNOWN;
  }

  setSize(node: Expression, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(node, size);
  }

  setEntries(node: Expression, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(node, entries);
  }

  /** The number of variables in scope. */
  get depth(): number {
    return this.#variables.length;
  }

  /** Ends the scope of the variables that were declared since. */
  leave(depth: number): void {
    this.#variables.length = depth;
  }

  declare(name: string, variable: Variable): void {
    this.#variables.push({ name, variable });
  }

  #variable(name: string): Variable | undefined {
    return this.#variables.findLast((declared) => declared.name === name)?.variable;
  }

  asVariable(node: Expression): Variable {
    return { path: this.pathOf(node), size: this.knownSize(node), entries: this.entriesOf(node) };
  }

  copy(to: Expression, from: Expression): void {
    this.setSize(to, this.knownSize(from));
    this.setEntries(to, this.entriesOf(from));
  }

  type(node: Expression): Type {
    return this.#checked.types.get(node) ?? DYN;
  }
}

/** The sizes that either of two values may have. */
export function joinEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
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
