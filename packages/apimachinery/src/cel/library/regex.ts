import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import { ListValue } from '../values.js';
import { from, int, string } from './arguments.js';
import { compilePattern } from './text.js';

/** Upstream: apiserver `pkg/cel/library/regex.go`. */
export const REGEX: readonly Overload[] = [
  overload(
    'find',
    'string_find_string',
    'string.(string) -> string',
    from(string, string)((text, pattern) => findAll(text, pattern, 1n)[0] ?? ''),
  ),
  overload(
    'findAll',
    'string_find_all_string',
    'string.(string) -> list(string)',
    from(string, string)((text, pattern) => ListValue.of(findAll(text, pattern, -1n))),
  ),
  overload(
    'findAll',
    'string_find_all_string_int',
    'string.(string, int) -> list(string)',
    from(string, string, int)((text, pattern, limit) => ListValue.of(findAll(text, pattern, limit))),
  ),
];

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const matcher = legal(pattern).matcher(text);
  const found: string[] = [];
  for (let left = limit; left !== 0n && matcher.find(); left--) found.push(matcher.group() ?? '');
  return found;
}

function legal(pattern: string): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof EvaluationError) throw new EvaluationError(`Illegal regex: ${error.message}`);
    throw error;
  }
}
