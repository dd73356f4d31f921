import type { Token } from './tokens.js';

/**
 * The tokens that may begin an expression, as a message shows them. `end`: the token that ends an empty list, map or call
 * in the place of its first expression; `''` = none does.
 */
export function starters(end: '' | ']' | '}' | ')'): string {
  const [list, map, call] = [end === ']', end === '}', end === ')'];
  const tokens = [
    "'['",
    ...(list ? ["']'"] : []),
    "'{'",
    ...(map ? ["'}'"] : []),
    "'('",
    ...(call ? ["')'"] : []),
    "'.'",
    ...(list || map ? ["','"] : []),
    "'-'",
    "'!'",
    ...(list || map ? ["'?'"] : []),
  ];
  const literals = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";
  return `{${tokens.join(', ')}, ${literals}}`;
}

/** The tokens that may begin a field of a message literal, or end it, as a message shows them. */
export const FIELD_STARTERS = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";

/** Whether an expression may begin with the token. */
export function startsExpression(token: Token): boolean {
  const { kind, text } = token;
  if (kind === 'symbol')
    return text === '[' || text === '{' || text === '(' || text === '.' || text === '-' || text === '!';
  return kind !== 'end' && !isIn(token);
}

/** Whether the token is the operator `in`, and not the string "in". */
export function isIn({ kind, text }: Token): boolean {
  return kind === 'identifier' && text === 'in';
}
