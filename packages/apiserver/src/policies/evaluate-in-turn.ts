import type {
  CompiledExpression,
  Evaluation,
  ExpressionProblem,
  Outcome,
} from '@binnacle/apimachinery/admission-expressions';
import { pause } from '../slices/index.js';

/** Evaluates an expression. Yields to other work before, and throws when the request has ended. */
export async function evaluateInTurn(
  evaluation: Evaluation,
  expression: CompiledExpression | ExpressionProblem,
  signal: AbortSignal,
): Promise<Outcome> {
  const pausing = pause();
  if (pausing !== undefined) await pausing;
  signal.throwIfAborted();
  return evaluation.evaluate(expression);
}
