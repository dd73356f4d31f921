import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inert } from './inert.js';

describe('inert', () => {
  it('shows controls', () => {
    assert.equal(inert('a\n\u001b[2J\u007f\u009b'), 'a\\u000a\\u001b[2J\\u007f\\u009b');
  });

  it('shows what would change the order of characters or end a line', () => {
    for (const [first, last] of [
      [0x61c, 0x61c],
      [0x200e, 0x200f],
      [0x2028, 0x202e],
      [0x2066, 0x2069],
    ] as const) {
      for (let code = first; code <= last; code++) {
        assert.equal(inert(`a${String.fromCharCode(code)}b`), `a\\u${code.toString(16).padStart(4, '0')}b`);
      }
    }
    const plain = 'é שלום \u{1f468}\u200d\u{1f469}';
    assert.equal(inert(plain), plain);
  });
});
