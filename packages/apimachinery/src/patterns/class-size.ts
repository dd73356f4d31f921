/** `\pL` has hundreds of ranges of characters, so to read it takes as long as to compile this many states. */
const STATES_OF_UNICODE_CLASS = 40;
/** The characters between brackets that are read in the time of one state. */
const CHARACTERS_PER_STATE = 8;
/** The characters of a range whose other case is looked up in the time of one state, where case does not matter. */
const FOLDED_PER_STATE = 100;

const ignoresCase = /\(\?[msU]*i/;
const hexadecimal = /x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/y;

/** Whether a part of a pattern ignores case. */
export const foldsCase = (pattern: string): boolean => ignoresCase.test(pattern);

/** An element of a pattern: where it ends, and the states that it counts. */
export interface SizedPart {
  readonly end: number;
  readonly states: number;
}

/** The escape that begins with the backslash at `start`: `\n`, `\pL`, `\P{Greek}`. Outside of classes, `\x{61}` ends after the `x`. */
export function sizeOfEscape(pattern: string, start: number): SizedPart {
  const letter = pattern[start + 1];
  if (letter !== 'p' && letter !== 'P') return { end: start + 2, states: 1 };
  const isNamed = pattern[start + 2] === '{';
  const brace = isNamed ? pattern.indexOf('}', start) : start + 2;
  return { end: brace < 0 ? pattern.length : brace + 1, states: STATES_OF_UNICODE_CLASS };
}

/** The class that begins with the bracket at `start`. A bracket in first place is a member of the class. */
export function sizeOfClass(pattern: string, start: number, folds: boolean): SizedPart {
  const first = pattern[start + 1] === '^' ? start + 2 : start + 1;
  let states = 0;
  let at = first;
  while (at < pattern.length && (pattern[at] !== ']' || at === first)) {
    const member = memberAt(pattern, at);
    states += member.states;
    at = member.end;
    if (member.point === undefined || pattern[at] !== '-' || pattern[at + 1] === ']') continue;
    const last = memberAt(pattern, at + 1);
    at = last.end;
    const width = last.point === undefined ? 0 : last.point - member.point;
    states += last.states + (folds ? Math.max(0, width) / FOLDED_PER_STATE : 0);
  }
  return { end: at + 1, states: Math.max(1, Math.floor(states + (at - start) / CHARACTERS_PER_STATE)) };
}

interface Member extends SizedPart {
  /** Of one character; undefined for a class such as `\pL`. */
  readonly point: number | undefined;
}

function memberAt(pattern: string, start: number): Member {
  const point = pattern.codePointAt(start) ?? 0;
  if (pattern[start] !== '\\') return { point, end: start + (point > 0xffff ? 2 : 1), states: 0 };
  hexadecimal.lastIndex = start + 1;
  const [whole, braced, short] = hexadecimal.exec(pattern) ?? [];
  if (whole !== undefined) {
    return { point: Number.parseInt(braced ?? short ?? '', 16), end: start + 1 + whole.length, states: 0 };
  }
  const { end, states } = sizeOfEscape(pattern, start);
  return states > 1 ? { point: undefined, end, states } : { point: pattern.charCodeAt(start + 1), end, states: 0 };
}
