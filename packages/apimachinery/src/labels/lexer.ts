export type TokenKind = 'end' | 'identifier' | ')' | '(' | ',' | '!' | '==' | '=' | '>' | '<' | '!=' | 'in' | 'notin';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const whitespace = ' \t\r\n';
const symbols = '=!(),><';
const nul = '\0';

/**
 * The tokens of a selector; the last one is `end`. A NUL ends the text or the current word, as in upstream's scanner.
 * Upstream: apimachinery `labels.Lexer`.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (;;) {
    while (position < text.length && whitespace.includes(text.charAt(position))) position++;
    const character = text.charAt(position);
    if (character === '' || character === nul) {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    if (symbols.includes(character)) {
      const symbol = readSymbol(text, position);
      tokens.push({ kind: symbol, text: symbol });
      position += symbol.length;
      continue;
    }
    const start = position;
    while (position < text.length && !endsWord(text.charAt(position))) position++;
    const word = text.slice(start, position);
    tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'identifier', text: word });
    if (text.charAt(position) === nul) position++;
  }
}

function endsWord(character: string): boolean {
  return character === nul || symbols.includes(character) || whitespace.includes(character);
}

function readSymbol(text: string, position: number): TokenKind {
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
