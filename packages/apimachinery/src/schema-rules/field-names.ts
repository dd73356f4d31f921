import { RESERVED_WORDS } from '../cel/index.js';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const ORIGINALS: ReadonlyMap<string, string> = new Map([...ESCAPES].map(([original, escaped]) => [escaped, original]));

/**
 * The name of a field in expressions: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. Undefined for names that
 * cannot be escaped. Upstream: apiserver `pkg/cel/escaping.go`.
 */
export function escapeFieldName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED_WORDS.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (part) => ESCAPES.get(part) ?? part);
}

/** Reverses {@link escapeFieldName}; undefined if the result cannot be a field name. */
export function unescapeFieldName(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let valid = true;
  const name = escaped.replace(/__([^_]+)__/g, (part, word: string) => {
    const original =
      ORIGINALS.get(part) ?? (RESERVED_WORDS.has(word) && part.length === escaped.length ? word : undefined);
    valid &&= original !== undefined;
    return original ?? '';
  });
  return valid ? name : undefined;
}
