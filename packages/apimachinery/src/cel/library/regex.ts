import { firstMatch, searchPattern, sizeOfPattern, type Threads, threadsOf } from '../../patterns/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { Pace, type Steps } from '../../work/index.js';
import { longOverload, type Overload } from '../overload.js';
import { ListValue } from '../values.js';
import { from, int, string } from './arguments.js';
import { widthAt } from './code-points.js';
import { compilePattern } from './text.js';

/** Units of a text times the instructions of a pattern: a few milliseconds at most. */
const WORK_PER_STEP = 200_000;
/** Beyond this, `findAll` counts the instructions that it executes, which are mostly far fewer. */
const UNCOUNTED_WORK = 10_000_000;

/** Upstream: apiserver `pkg/cel/library/regex.go`. */
export const REGEX: readonly Overload[] = [
  longOverload('find', 'string_find_string', 'string.(string) -> string', { steps: from(string, string)(find) }),
  longOverload('findAll', 'string_find_all_string', 'string.(string) -> list(string)', {
    isLong: () => true,
    steps: from(string, string)((text, pattern) => findAll(text, pattern, -1n)),
  }),
  longOverload('findAll', 'string_find_all_string_int', 'string.(string, int) -> list(string)', {
    isLong: () => true,
    steps: from(string, string, int)(findAll),
  }),
];

function* find(text: string, source: string): Steps<string> {
  const match = yield* firstMatch(legal(source), text);
  return match === undefined ? '' : text.slice(match.start, match.end);
}

/** Each search may read the text to its end, for the cost of one search. */
function* findAll(text: string, source: string, limit: bigint): Steps<ListValue> {
  const pattern = legal(source);
  const instructions = sizeOfPattern(pattern);
  const found: string[] = [];
  const pace = new Pace(WORK_PER_STEP);
  let uncounted = UNCOUNTED_WORK;
  let threads: Threads | undefined;
  let from = 0;
  let lastEnd = -1;
  for (let left = limit; left !== 0n && from <= text.length; ) {
    const work = (text.length - from) * instructions;
    uncounted -= work;
    if (uncounted < 0) threads ??= threadsOf(pattern);
    const match = yield* threads === undefined
      ? firstMatch(pattern, text, from)
      : searchPattern(pattern, text, from, threads);
    if (match === undefined) break;
    // Go leaves out an empty match that follows another one at once.
    if (match.end > match.start || match.start !== lastEnd) {
      found.push(text.slice(match.start, match.end));
      left--;
    }
    lastEnd = match.end;
    from = match.end > match.start ? match.end : match.end + widthAt(text, match.end);
    if (pace.endsStep(work)) yield;
  }
  return ListValue.of(found);
}

function legal(pattern: string): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof EvaluationError) throw new EvaluationError(`Illegal regex: ${error.message}`);
    throw error;
  }
}
