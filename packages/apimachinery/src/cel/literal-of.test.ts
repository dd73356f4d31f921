import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { literalOf } from './literal-of.js';
import { type Token, TokenError, tokenize } from './tokens.js';

function tokenOf(source: string): Token {
  const [token] = tokenize(source).tokens;
  assert.ok(token);
  return token;
}

describe('literalOf', () => {
  for (const [source, value] of [
    ['"a"', { type: 'string', value: 'a' }],
    ["b'a'", { type: 'bytes', value: Buffer.from('a') }],
    ['true', { type: 'bool', value: true }],
    ['false', { type: 'bool', value: false }],
    ['null', { type: 'null' }],
    ['0x10', { type: 'int', value: 16n }],
    ['18446744073709551615u', { type: 'uint', value: 2n ** 64n - 1n }],
    ['1.5', { type: 'double', value: 1.5 }],
  ] as const) {
    it(`reads ${source}`, () => assert.deepEqual({ ...literalOf(tokenOf(source), false) }, value));
  }

  it('takes the minus sign into the number, so that the least int can be written', () => {
    assert.deepEqual(literalOf(tokenOf('9223372036854775808'), true), { type: 'int', value: -(2n ** 63n) });
    assert.deepEqual(literalOf(tokenOf('1.5'), true), { type: 'double', value: -1.5 });
  });

  for (const source of ['9223372036854775808', '18446744073709551616u', '1e999']) {
    it(`refuses ${source}`, () => {
      assert.throws(() => literalOf(tokenOf(source), false), TokenError);
    });
  }
});
