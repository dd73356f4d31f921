import { readEscapes } from './escapes.js';

export type TokenKind = 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'identifier' | 'symbol' | 'end';

/** `text` is the content of a string, a number as written, a name, or a symbol. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
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
const STRING_START = /([bB]?)([rR]?)("""|'''|"|')/y;

/**
 * Splits an expression into tokens; the last one is `end`. Takes linear time. Throws `TokenError`. Upstream: the lexer
 * rules of cel-spec `doc/langdef.md`.
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
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
      tokens.push({ kind: 'end', text: '<EOF>', bytes: undefined, position });
      return tokens;
    }
    const start = match(STRING_START);
    if (start !== null) {
      const { token, end } = readString(source, at, position, start);
      tokens.push(token);
      at = end;
      continue;
    }
    const found = matchPlain(match);
    if (found === undefined) {
      const point = String.fromCodePoint(source.codePointAt(at) ?? 0);
      throw new TokenError(position, `Syntax error: token recognition error at: '${point}'`);
    }
    tokens.push({ ...found, bytes: undefined, position });
    at += found.length;
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

function readString(
  source: string,
  at: number,
  position: number,
  [opening, bytesPrefix = '', rawPrefix = '', quote = '"']: RegExpExecArray,
): { token: Token; end: number } {
  const raw = rawPrefix !== '';
  const start = at + opening.length;
  let end = start;
  while (!source.startsWith(quote, end)) {
    const char = source[end];
    if (char === undefined || (quote.length === 1 && (char === '\n' || char === '\r'))) {
      throw new TokenError(position, `Syntax error: token recognition error at: '${source.slice(at, end)}'`);
    }
    end += char === '\\' && !raw ? 2 : 1;
  }
  const content = source.slice(start, end).replaceAll(/\r\n?/g, '\n');
  const isBytes = bytesPrefix !== '';
  const read = raw ? { text: content, bytes: Buffer.from(content) } : readEscapes(content, isBytes);
  if (read === undefined) throw new TokenError(position, 'Syntax error: invalid escape sequence');
  const token = isBytes
    ? ({ kind: 'bytes', text: '', bytes: read.bytes, position } as const)
    : ({ kind: 'string', text: read.text, bytes: undefined, position } as const);
  return { token, end: end + quote.length };
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
