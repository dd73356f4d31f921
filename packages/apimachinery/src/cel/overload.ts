import { parseSignature, type Signature } from './signature.js';
import type { Value } from './values.js';

/** What a function does with its arguments, the target being the first. Throws `EvaluationError`. Pure, but for the clock of nobody. */
export type Implementation = (...args: readonly Value[]) => Value;

/** One way to call a function. */
export interface Overload {
  /** The name of the function. */
  readonly name: string;
  /** The same in every implementation of CEL: costs are given by it. */
  readonly id: string;
  readonly signature: Signature;
  readonly implementation: Implementation;
}

/** Declares one way to call `name`. `signature` is read by `parseSignature`. */
export function overload(name: string, id: string, signature: string, implementation: Implementation): Overload {
  return { name, id, signature: parseSignature(signature), implementation };
}
