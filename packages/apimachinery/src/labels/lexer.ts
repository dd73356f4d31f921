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
/** Shared, because a selector has room for 300,000. */
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
 * The tokens of a selector; the last one is `end`. A NUL ends the text or the current word, as in upstream's scanner.
 * Upstream: apimachinery `labels.Lexer`.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    position = endOf(whitespace, text, position);
    const character = text.charAt(position);
    if (character === '' || character === nul) {
      tokens.push(end);
      return tokens;
    }
    const after = endOf(word, text, position);
    if (after === position) {
      const token = symbolTokens[readSymbol(text, position)];
      tokens.push(token);
      position += token.text.length;
      continue;
    }
    const found = text.slice(position, after);
    tokens.push({ kind: found === 'in' || found === 'notin' ? found : 'identifier', text: found });
    position = text.charAt(after) === nul ? after + 1 : after;
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
