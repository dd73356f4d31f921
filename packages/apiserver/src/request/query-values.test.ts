import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseInt64 } from './query-values.js';

describe('parseInt64', () => {
  it('keeps every digit', () => {
    assert.equal(parseInt64('+007'), 7);
    assert.equal(parseInt64('-9223372036854775808'), -9223372036854775808n);
    assert.equal(parseInt64('1_000'), 'strconv.ParseInt: parsing "1_000": invalid syntax');
  });
});
