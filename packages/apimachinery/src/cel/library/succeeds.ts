import { EvaluationError } from '../evaluation-error.js';

/**
 * Whether `read` returns without an `EvaluationError`. Predicates such as `isIP` are built from their parser, such as
 * `ip`.
 */
export function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}
