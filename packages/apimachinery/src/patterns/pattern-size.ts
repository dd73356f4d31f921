/** The work, in visits, to compile one state of a pattern. */
const WORK_OF_STATE = 50;
/**
 * Compiling a pattern with more states would block the event loop for too long. Go rejects patterns above its own
 * limit.
 */
const MAXIMUM_STATES = 40_000;

/** The work to compile a pattern; infinite for one that is too large. */
export function compilationWork(pattern: string): number {
  const states = patternSize(pattern);
  return states > MAXIMUM_STATES ? Number.POSITIVE_INFINITY : states * WORK_OF_STATE;
}

const repetition = /\{([0-9]{1,4})(?:,([0-9]{1,4})?)?\}/y;

/** Estimates the number of states of a pattern: `(ab){50}` counts `ab` fifty times. Accepts invalid patterns too. */
export function patternSize(pattern: string): number {
  const groups: number[] = [];
  let size = 0;
  let atom = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '(') {
      groups.push(size);
      size = 0;
      continue;
    }
    if (character === ')') {
      atom = size + 2;
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
    if (character === '\\') at++;
    if (character === '[') at = endOfClass(pattern, at);
    atom = 1;
    size++;
  }
  return groups.reduce((sum, outer) => sum + outer, size);
}

/** The index of the bracket that closes a class. A bracket in first place is a member of it. */
function endOfClass(pattern: string, start: number): number {
  const first = pattern[start + 1] === '^' ? start + 2 : start + 1;
  for (let at = first; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']' && at > first) return at;
  }
  return pattern.length;
}
