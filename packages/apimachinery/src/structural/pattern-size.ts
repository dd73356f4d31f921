/** What a state of an expression takes to compile, in visits. */
const WORK_OF_STATE = 50;
/** To compile an expression with more states would hold the loop for too long: it is refused, as Go refuses larger ones. */
const MAXIMUM_STATES = 40_000;

/** What it takes to compile a pattern; infinite for one that is too large. */
export function compilationWork(pattern: string): number {
  const states = patternSize(pattern);
  return states > MAXIMUM_STATES ? Number.POSITIVE_INFINITY : states * WORK_OF_STATE;
}

const repetition = /\{([0-9]{1,4})(?:,([0-9]{1,4})?)?\}/y;

/** About how many states the expression of a pattern has: `(ab){50}` is fifty times `ab`. Reads patterns that are wrong, too. */
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

/** The index of the bracket that closes a class; a bracket that comes first is a member of it. */
function endOfClass(pattern: string, start: number): number {
  const first = pattern[start + 1] === '^' ? start + 2 : start + 1;
  for (let at = first; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']' && at > first) return at;
  }
  return pattern.length;
}
