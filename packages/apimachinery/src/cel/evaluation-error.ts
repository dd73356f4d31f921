/**
 * An evaluation failure, such as `no such key: a`. `&&`, `||` and the macros built on them absorb it if the other side
 * decides.
 */
export class EvaluationError extends Error {}

/** The expression has spent its budget. No operator absorbs this error. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** An evaluation in one go exceeded the work of one step. The caller evaluates again, in steps. No operator absorbs this error. */
export class TakesLong extends Error {
  constructor() {
    super('the evaluation takes more than a step');
  }
}

/** Upstream: cel-go `common/types/err.go`. */
export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

export function noSuchKey(key: string): EvaluationError {
  return new EvaluationError(`no such key: ${key}`);
}
