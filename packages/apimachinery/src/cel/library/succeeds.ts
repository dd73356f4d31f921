import { EvaluationError } from '../evaluation-error.js';

/** Whether `read` ends without an `EvaluationError`: the question `isIP` of the function `ip`. */
export function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}
