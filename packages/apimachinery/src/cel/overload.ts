import { parseSignature, type Signature } from './signature.js';
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
}

/** Declares an overload of `name`. `parseSignature` parses `signature`. */
export function overload(name: string, id: string, signature: string, implementation: Implementation): Overload {
  return { name, id, signature: parseSignature(signature), implementation };
}
