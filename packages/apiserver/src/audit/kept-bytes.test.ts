import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptBytes } from './kept-bytes.js';

function counting() {
  const made: string[] = [];
  const kept = new KeptBytes<string>((key) => {
    made.push(key);
    return `${key}é`;
  });
  return { made, kept };
}

describe('KeptBytes', () => {
  it('makes the bytes of a text once', () => {
    const { made, kept } = counting();
    assert.equal(Buffer.from(kept.of('a')).toString(), 'aé');
    assert.equal(kept.of('a'), kept.of('a'));
    assert.deepEqual(made, ['a']);
  });

  it('keeps a thousand of them, and no long ones', () => {
    const { made, kept } = counting();
    for (let index = 0; index < 1001; index++) kept.of(String(index));
    kept.of('0');
    assert.equal(made.length, 1002);
    const long = 'x'.repeat(1025);
    kept.of(long);
    kept.of(long);
    assert.equal(made.length, 1004);
  });
});
