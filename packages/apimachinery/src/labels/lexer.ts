export type TokenKind = 'end' | 'identifier' | ')' | '(' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | 'in' | 'notin';

type SymbolKind = Exclude<TokenKind, 'end' | 'identifier' | 'in' | 'notin'>;

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const whitespace = /[ \t\r\n]*/y;
const word = /[^=!(),>< \t\r\n\0]+/y;
const nul = '\0';
const end: Token = { kind: 'end', text: '' };

const symbol = (kind: SymbolKind): Token => ({ kind, text: kind });
/** Shared: one selector can have 300,000 tokens. */
const symbolTokens: Readonly<Record<SymbolKind, Token>> = {
  ')': symbol(')'),
  '(': symbol('('),
  ',': symbol(','),
  '!': symbol('!'),
  '==': symbol('=='),
  '=': symbol('='),
  '>': symbol('>'),
  '<': symbol('<'),
  '!=': symbol('!='),
};

/**
 * Reads the tokens of a selector one by one; after the last one, all are `end`. A NUL ends the text or the current word, as
 * in upstream's scanner. Upstream: apimachinery `labels.Lexer`.
 */
export class Lexer {
  readonly #text: string;
  #position = 0;
  #peeked: Token | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): Token {
    this.#peeked ??= this.#read();
    return this.#peeked;
  }

  next(): Token {
    const token = this.peek();
    this.#peeked = undefined;
    return token;
  }

  #read(): Token {
    const text = this.#text;
    const start = endOf(whitespace, text, this.#position);
    const character = text.charAt(start);
    this.#position = start;
    if (character === '' || character === nul) return end;
    const after = endOf(word, text, start);
    if (after === start) {
      const token = symbolTokens[readSymbol(text, start)];
      this.#position += token.text.length;
      return token;
    }
    const found = text.slice(start, after);
    this.#position = text.charAt(after) === nul ? after + 1 : after;
    return { kind: found === 'in' || found === 'notin' ? found : 'identifier', text: found };
  }
}

/** Where a sticky pattern that begins at `position` ends; `position` if it does not match there. */
function endOf(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

function readSymbol(text: string, position: number): SymbolKind {
  const first = text.charAt(position);
  if (text.charAt(position + 1) === '=') {
    if (first === '=') return '==';
    if (first === '!') return '!=';
  }
  switch (first) {
    case ')':
    case '(':
    case ',':
    case '!':
    case '>':
    case '<':
      return first;
    default:
      return '=';
  }
}
