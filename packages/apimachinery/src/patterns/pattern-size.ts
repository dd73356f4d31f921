import { foldsCase, sizeOfClass, sizeOfEscape } from './class-size.js';

/** The work, in visits, to compile one state of a pattern. */
const WORK_OF_STATE = 50;
/**
 * Compiling a pattern with more states would block the event loop for too long. Go rejects patterns above its own
 * limit.
 */
const MAXIMUM_STATES = 40_000;
/** Before and after its content. */
const STATES_OF_GROUP = 2;

/** The work to compile a pattern; infinite for one that is too large. */
export function compilationWork(pattern: string): number {
  const states = patternSize(pattern);
  return states > MAXIMUM_STATES ? Number.POSITIVE_INFINITY : states * WORK_OF_STATE;
}

const repetition = /\{([0-9]{1,4})(?:,([0-9]{1,4})?)?\}/y;

/** Estimates the number of states of a pattern: `(ab){50}` counts `ab` fifty times. Accepts invalid patterns too. */
export function patternSize(pattern: string): number {
  const folds = foldsCase(pattern);
  const groups: number[] = [];
  let size = 0;
  let atom = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '(') {
      groups.push(size);
      size = STATES_OF_GROUP;
      continue;
    }
    if (character === ')') {
      atom = size;
      size = (groups.pop() ?? 0) + atom;
      continue;
    }
    repetition.lastIndex = at;
    const repeated = character === '{' ? repetition.exec(pattern) : null;
    if (repeated !== null) {
      const [whole, least = '0', most = least] = repeated;
      const times = Math.max(1, Number(least), Number(most));
      size += atom * (times - 1);
      atom *= times;
      at += whole.length - 1;
      continue;
    }
    atom = 1;
    if (character === '\\' || character === '[') {
      const part = character === '[' ? sizeOfClass(pattern, at, folds) : sizeOfEscape(pattern, at);
      atom = part.states;
      at = part.end - 1;
    }
    size += atom;
  }
  return groups.reduce((sum, outer) => sum + outer, size);
}
