import { needsQuotes } from './resolve.js';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

// The complement of the characters that upstream's writer prints unescaped. It escapes everything beyond the basic
// plane.
const unprintable = /[^\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]/;
const blockIndicator = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?: |$)|---|\.\.\.)|:(?: |$)| #/;

/**
 * The style in which upstream writes a string: plain if it parses as the same string, a literal block for several
 * lines, quoted otherwise.
 */
export function scalarStyle(text: string): ScalarStyle {
  if (text.includes('\n')) return allowsBlock(text) ? 'literal' : 'double';
  if (needsQuotes(text)) return 'double';
  if (unprintable.test(text)) return 'double';
  return text.startsWith(' ') || text.endsWith(' ') || blockIndicator.test(text) ? 'single' : 'plain';
}

function allowsBlock(text: string): boolean {
  return !text.endsWith(' ') && !text.includes(' \n') && !unprintable.test(text);
}

const escapes: ReadonlyMap<number, string> = new Map([
  [0x00, '0'],
  [0x07, 'a'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0b, 'v'],
  [0x0c, 'f'],
  [0x0d, 'r'],
  [0x1b, 'e'],
  [0x22, '"'],
  [0x5c, '\\'],
  [0x85, 'N'],
  [0x2028, 'L'],
  [0x2029, 'P'],
]);

const escaped = /[^ -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|["\\\u2028\u2029]/gu;

/** The content of a double-quoted scalar, with escapes where needed. */
export function escapeText(text: string): string {
  return text.replace(escaped, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short = escapes.get(code);
  if (short !== undefined) return `\\${short}`;
  if (code <= 0xff) return `\\x${hexadecimal(code, 2)}`;
  return code <= 0xffff ? `\\u${hexadecimal(code, 4)}` : `\\U${hexadecimal(code, 8)}`;
}

function hexadecimal(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, '0');
}
