import type { ParsedJson } from '../json/index.js';
import { quoteGo } from '../status/index.js';

const MAX_STRICT_ERRORS = 100;

/** Strict errors such as `duplicate field "data.a"` for a document without a Go type, such as a custom resource. */
export function strictErrorsOf(parsed: ParsedJson): readonly string[] {
  if (parsed.duplicates.length === 0) return parsed.duplicates;
  return [...new Set(parsed.duplicates)].slice(0, MAX_STRICT_ERRORS).map((path) => `duplicate field ${quoteGo(path)}`);
}
