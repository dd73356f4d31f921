import { readEscapes } from './escapes.js';
import type { SourceProblem } from './source-error.js';

export type TokenKind = 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'identifier' | 'symbol' | 'end';

/** `text` is the content of a string, a number as written, a name, or a symbol. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The token as written; `<EOF>` at the end. */
  readonly written: string;
  /** The index just after the token in the source. */
  readonly end: number;
  readonly bytes: Uint8Array | undefined;
  readonly position: number;
}

/** The source contains no valid token at this position. */
export class TokenError extends Error {
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

const SPACE = /[ \t\r\n\f]+|\/\/[^\n]*/y;
const NUMBER = /(0x[0-9a-fA-F]+|\d+)([uU])|(\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|(0x[0-9a-fA-F]+|\d+)/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SYMBOL = /==|!=|<=|>=|&&|\|\||[[\]{}().,?:+\-*/%<>!]/y;
/** A character that begins no token. Half an operator takes the next character along. */
const UNRECOGNIZED = /[=&|][\s\S]?|[\s\S]/uy;
const STRING_START = /([bB]?)([rR]?)("""|'''|"|')/y;

/**
 * Splits an expression into tokens; the last one is `end`. Takes linear time. Text that is not a token is a problem, and
 * reading continues behind it, as in upstream's lexer. Upstream: the lexer rules of cel-spec `doc/langdef.md`.
 */
export function tokenize(source: string): { tokens: Token[]; problems: SourceProblem[] } {
  const tokens: Token[] = [];
  const problems: SourceProblem[] = [];
  const positions = new PositionCounter(source);
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  for (;;) {
    for (let space = match(SPACE); space !== null; space = match(SPACE)) at += space[0].length;
    const position = positions.of(at);
    if (at === source.length) {
      tokens.push({ kind: 'end', text: '<EOF>', written: '<EOF>', bytes: undefined, position, end: at });
      return { tokens, problems };
    }
    const start = match(STRING_START);
    if (start !== null) {
      const read = readString(source, at, start);
      const written = source.slice(at, read.end);
      if ('content' in read) tokens.push({ ...read.content, written, position, end: read.end });
      else problems.push(unrecognized(written, position));
      at = read.end;
      continue;
    }
    const found = matchPlain(match);
    if (found === undefined) {
      const text = match(UNRECOGNIZED)?.[0] ?? '';
      problems.push(unrecognized(text, position));
      at += text.length;
      continue;
    }
    const { kind, text, length } = found;
    const written = source.slice(at, at + length);
    at += length;
    tokens.push({ kind, text, written, bytes: undefined, position, end: at });
  }
}

function matchPlain(
  match: (pattern: RegExp) => RegExpExecArray | null,
): { kind: TokenKind; text: string; length: number } | undefined {
  const number = match(NUMBER);
  if (number !== null) {
    const [text, unsigned, , double] = number;
    if (unsigned !== undefined) return { kind: 'uint', text: unsigned, length: text.length };
    return { kind: double === undefined ? 'int' : 'double', text, length: text.length };
  }
  const name = match(NAME);
  if (name !== null) return { kind: 'identifier', text: name[0], length: name[0].length };
  const symbol = match(SYMBOL);
  return symbol === null ? undefined : { kind: 'symbol', text: symbol[0], length: symbol[0].length };
}

/** The content of a string; without one, `end` is just after the text in which no string can continue. */
function readString(
  source: string,
  at: number,
  [opening, bytesPrefix = '', rawPrefix = '', quote = '"']: RegExpExecArray,
): { content: Pick<Token, 'kind' | 'text' | 'bytes'>; end: number } | { end: number } {
  const raw = rawPrefix !== '';
  const start = at + opening.length;
  let end = start;
  while (!source.startsWith(quote, end)) {
    const char = source[end];
    if (char === undefined) return { end };
    if (quote.length === 1 && (char === '\n' || char === '\r')) return { end: end + 1 };
    const length = char === '\\' && !raw ? escapeLength(source, end) : 1;
    if (length < 0) return { end: Math.min(end - length, source.length) };
    end += length;
  }
  const content = source.slice(start, end).replaceAll(/\r\n?/g, '\n');
  const isBytes = bytesPrefix !== '';
  const read = raw ? { text: content, bytes: Buffer.from(content) } : readEscapes(content, isBytes);
  end += quote.length;
  if (read === undefined) return { end };
  return isBytes
    ? { content: { kind: 'bytes', text: '', bytes: read.bytes }, end }
    : { content: { kind: 'string', text: read.text, bytes: undefined }, end };
}

const ESCAPED = /[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y;
const BEGUN = /[xX][0-9a-fA-F]?|[0-3][0-7]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|/y;

/** The length of an escape; for an invalid one, minus the length up to and with the first wrong character. */
function escapeLength(source: string, at: number): number {
  ESCAPED.lastIndex = at + 1;
  const valid = ESCAPED.exec(source);
  if (valid !== null) return 1 + valid[0].length;
  BEGUN.lastIndex = at + 1;
  return -(2 + (BEGUN.exec(source)?.[0].length ?? 0));
}

function unrecognized(text: string, position: number): SourceProblem {
  return { position, message: `Syntax error: token recognition error at: '${escapeSpace(text)}'` };
}

/** How upstream's messages show whitespace. */
function escapeSpace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

/** Converts ascending string indexes to code point counts, in one pass. */
class PositionCounter {
  readonly #source: string;
  #index = 0;
  #points = 0;

  constructor(source: string) {
    this.#source = source;
  }

  of(index: number): number {
    while (this.#index < index) {
      this.#index += (this.#source.codePointAt(this.#index) ?? 0) > 0xffff ? 2 : 1;
      this.#points++;
    }
    return this.#points;
  }
}
