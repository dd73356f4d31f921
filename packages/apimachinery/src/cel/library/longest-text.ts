import { CostLimitError } from '../evaluation-error.js';

/** Ten times the largest request. A longer text exceeds the cost limit once it is used. */
const LONGEST_TEXT = 30_000_000;

/** Call it before a text of this length is made. Throws `CostLimitError`. */
export function checkLength(length: number): void {
  if (length > LONGEST_TEXT) throw new CostLimitError();
}
