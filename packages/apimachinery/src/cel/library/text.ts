import type { RE2JS } from 're2js';
import { compiledPatterns, firstMatch, isLongSearch } from '../../patterns/index.js';
import type { Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { from, string } from './arguments.js';
import { indexOfText } from './search.js';

const texts = from(string, string);

/** Compiles a pattern in RE2 syntax, which may come from an object. Throws `EvaluationError` for an invalid pattern. */
export function compilePattern(pattern: string): RE2JS {
  const compiled = compiledPatterns.get(pattern);
  if (typeof compiled === 'string') throw new EvaluationError(compiled);
  return compiled;
}

/** Whether a search takes so long that it runs in steps. */
export function isLongMatch(text: string, pattern: string): boolean {
  try {
    return isLongSearch(compilePattern(pattern), text.length);
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const matches = texts(function* (text, source): Steps<boolean> {
  const pattern = compilePattern(source);
  // To find where a text matches takes longer than whether it does.
  if (!isLongSearch(pattern, text.length)) return compiledPatterns.matches(pattern, text);
  return (yield* firstMatch(pattern, text)) !== undefined;
});

/** Upstream: cel-go `common/stdlib/standard.go`. */
export const TEXT: readonly Overload[] = [
  longOverload('contains', 'contains_string', 'string.(string) -> bool', {
    steps: texts(function* (text, part) {
      return (yield* indexOfText(text, part)) >= 0;
    }),
  }),
  overload(
    'endsWith',
    'ends_with_string',
    'string.(string) -> bool',
    texts((text, part) => text.endsWith(part)),
  ),
  overload(
    'startsWith',
    'starts_with_string',
    'string.(string) -> bool',
    texts((text, part) => text.startsWith(part)),
  ),
  longOverload('matches', 'matches', '(string, string) -> bool', { steps: matches }),
  longOverload('matches', 'matches_string', 'string.(string) -> bool', { steps: matches }),
];
