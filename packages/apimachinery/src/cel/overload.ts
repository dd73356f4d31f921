import { finish, type Steps } from '../work/index.js';
import { parseSignature, type Signature } from './signature.js';
import type { Type } from './types.js';
import type { Value } from './values.js';

/**
 * Implements a function; the target is the first argument. Pure, without access to the clock. Throws `EvaluationError`.
 */
export type Implementation = (...args: readonly Value[]) => Value;

/** One overload of a function. */
export interface Overload {
  /** The name of the function. */
  readonly name: string;
  /** The same in every implementation of CEL; costs are looked up by it. */
  readonly id: string;
  readonly signature: Signature;
  readonly implementation: Implementation;
  /** Of a function that may take long: its implementation in steps. */
  readonly long?: LongImplementation;
  /** A call may give lists whose items have other types than the signature says. */
  readonly takesAnyItems?: boolean;
}

export interface LongImplementation {
  /**
   * Whether a call with arguments of these types may take more than a step. `declared`: those of the signature. Absent:
   * the cost and the work of the call decide, because they bound how long it takes.
   */
  readonly isLong?: (types: readonly Type[], declared: readonly Type[]) => boolean;
  readonly steps: (...args: readonly Value[]) => Steps<Value>;
}

/** Declares an overload of `name`. `parseSignature` parses `signature`. */
export function overload(name: string, id: string, signature: string, implementation: Implementation): Overload {
  return { name, id, signature: parseSignature(signature), implementation };
}

/** Declares an overload that may take long. It has one implementation, which also runs without a pause. */
export function longOverload(name: string, id: string, signature: string, long: LongImplementation): Overload {
  return { ...overload(name, id, signature, (...args) => finish(long.steps(...args))), long };
}
