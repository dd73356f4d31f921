import { FieldSelectorError } from './error.js';

/** Escapes `\`, `,` and `=` with a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, '\\$&');
}

/** Reverses {@link escapeFieldValue}. Throws on an unescaped `,` or `=` and on any other escape. */
export function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let value = '';
  let escaped = false;
  for (const character of text) {
    const special = character === '\\' || character === ',' || character === '=';
    if (escaped) {
      if (!special) throw new FieldSelectorError(`invalid field selector: invalid escape sequence: \\${character}`);
      value += character;
      escaped = false;
    } else if (character === '\\') {
      escaped = true;
    } else if (special) {
      throw new FieldSelectorError(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else {
      value += character;
    }
  }
  if (escaped) throw new FieldSelectorError('invalid field selector: invalid escape sequence: \\');
  return value;
}
