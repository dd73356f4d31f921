import type { LiteralValue } from './syntax-tree.js';
import { type Token, TokenError } from './tokens.js';

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** The value of a literal, with a minus sign before it if `negative`. Throws for a number that no int, uint or double holds. */
export function literalOf(token: Token, negative: boolean): LiteralValue {
  const { kind, text } = token;
  if (kind === 'string') return { type: 'string', value: text };
  if (kind === 'bytes') return { type: 'bytes', value: token.bytes ?? new Uint8Array() };
  if (kind === 'identifier') {
    return text === 'null' ? { type: 'null' } : { type: 'bool', value: text === 'true' };
  }
  if (kind === 'double') return { type: 'double', value: finite(token, negative) };
  const value = negative ? -BigInt(text) : BigInt(text);
  if (kind === 'int') {
    if (value > MAX_INT || value < -MAX_INT - 1n) throw new TokenError(token.position, 'invalid int literal');
    return { type: 'int', value };
  }
  if (value > MAX_UINT) throw new TokenError(token.position, 'invalid uint literal');
  return { type: 'uint', value };
}

function finite(token: Token, negative: boolean): number {
  const value = Number(token.text);
  if (!Number.isFinite(value)) throw new TokenError(token.position, 'invalid double literal');
  return negative ? -value : value;
}
