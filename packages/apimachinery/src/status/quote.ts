/** ASCII that needs no escape. */
const plain = /^[ !#-[\]-~]*$/;

/** Go and JSON escape these characters alike, and the engine quotes JSON many times faster than a loop. */
const escapedAlike = /^[\b\t\n\f\r -~]*$/;

/** A string as Go's `%q` prints it. */
export function quoteGo(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return escapedAlike.test(text) ? JSON.stringify(text) : `"${text.replace(escaped, escapeCharacter)}"`;
}

/** A list of strings as Go's `%#v` prints it: `[]string{"a", "b"}`. */
export function quoteGoList(texts: readonly string[]): string {
  return `[]string{${texts.map(quoteGo).join(', ')}}`;
}

const named: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** A pattern, because a call for each character of a long text takes 200 milliseconds. */
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function escapeCharacter(character: string): string {
  const name = named.get(character);
  if (name !== undefined) return name;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
