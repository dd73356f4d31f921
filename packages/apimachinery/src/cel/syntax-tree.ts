/** What an expression consists of. `position` counts code points from the start of the source. */
interface Node {
  readonly position: number;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** `int` is a bigint, `double` a number; the rest is as it looks. */
export type LiteralValue =
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null' };

/** A name; with a leading dot it is searched from the root of the container. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `operand.field`, or the question `has(operand.field)`. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  readonly presence: boolean;
}

/** A function, or an operator by its name (`_+_`, see `operators.ts`); with a target when it stands behind a dot. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** Indexes of elements that are left out when they hold nothing: `[?a]`. */
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
 * A fold over a list or the keys of a map, which all macros with a variable become: from `initial`, as long as `condition`
 * holds, `step` gives the next value of `accumulator`; and in the end `result`.
 */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With two, the first is the index or the key, and this one the element or the value. */
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
