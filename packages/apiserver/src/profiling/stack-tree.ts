/** A function of the program, as V8 names it. */
export interface Frame {
  /** Empty for an anonymous function. In brackets for what is not a function, such as `(garbage collector)`. */
  readonly name: string;
  readonly file: string;
  /** From 1; 0 = unknown. */
  readonly line: number;
}

/** A function with what it called. The root is not a function. */
export interface StackTree {
  readonly frame: Frame;
  /** What was sampled in this function itself, one number for each dimension of the profile; undefined = nothing. */
  readonly values: readonly number[] | undefined;
  readonly children: readonly StackTree[];
}

/** What the numbers of a profile count, such as `cpu` in `nanoseconds`. */
export interface Dimension {
  readonly type: string;
  readonly unit: string;
}

/** The samples of a process over some time. */
export interface StackProfile {
  readonly root: StackTree;
  readonly dimensions: readonly Dimension[];
  /** One sample a period, in units of the last dimension. */
  readonly period: number;
}
