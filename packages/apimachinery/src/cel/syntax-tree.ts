/** `position` counts code points from the start of the source. */
interface Node {
  readonly position: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** `int` is a bigint and `double` a number; other values map to their JavaScript types. */
export type LiteralValue =
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' };

/** A name. With a leading dot it resolves from the root of the container. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)`. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  readonly presence: boolean;
}

/** A function, or an operator by its function name (`_+_`, see `operators.ts`). Has a target if it follows a dot. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** Indexes of elements that are omitted if empty: `[?a]`. */
  readonly optional: ReadonlySet<number>;
}

export interface Entry<Key> extends Node {
  readonly key: Key;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly Entry<Expression>[];
}

export interface MessageLiteral extends Node {
  readonly kind: 'message';
  readonly name: string;
  readonly fields: readonly Entry<string>[];
}

/**
 * A comprehension over a list or the keys of a map; every macro with a variable expands to one. It starts with
 * `initial`; while `condition` is true, `step` gives the next value of `accumulator`; `result` is evaluated at the end.
 */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With two variables, the first is the index or key and this one the element or value. */
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | MessageLiteral
  | Comprehension;
