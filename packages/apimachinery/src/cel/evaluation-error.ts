/**
 * What an expression fails with: `no such key: a`. `&&`, `||` and the macros that use them go on over it where the other side decides.
 */
export class EvaluationError extends Error {}

/** The expression has used up what it may cost. Nothing goes on over this. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Upstream: cel-go `common/types/err.go`. */
export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

export function noSuchKey(key: string): EvaluationError {
  return new EvaluationError(`no such key: ${key}`);
}
