import { EvaluationError } from '../evaluation-error.js';
import { Pace, type Steps } from '../../work/index.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { ListValue } from '../values.js';
import { from, int, string } from './arguments.js';
import { compilePattern } from './text.js';

/** A few milliseconds. */
const MATCHES_PER_STEP = 1000;

/** Upstream: apiserver `pkg/cel/library/regex.go`. */
export const REGEX: readonly Overload[] = [
  overload(
    'find',
    'string_find_string',
    'string.(string) -> string',
    from(
      string,
      string,
    )((text, pattern) => {
      const matcher = legal(pattern).matcher(text);
      return matcher.find() ? (matcher.group() ?? '') : '';
    }),
  ),
  longOverload('findAll', 'string_find_all_string', 'string.(string) -> list(string)', {
    isLong: () => true,
    steps: from(string, string)((text, pattern) => findAll(text, pattern, -1n)),
  }),
  longOverload('findAll', 'string_find_all_string_int', 'string.(string, int) -> list(string)', {
    isLong: () => true,
    steps: from(string, string, int)(findAll),
  }),
];

function* findAll(text: string, pattern: string, limit: bigint): Steps<ListValue> {
  const matcher = legal(pattern).matcher(text);
  const pace = new Pace(MATCHES_PER_STEP);
  const found: string[] = [];
  for (let left = limit; left !== 0n && matcher.find(); left--) {
    found.push(matcher.group() ?? '');
    if (pace.endsStep()) yield;
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
