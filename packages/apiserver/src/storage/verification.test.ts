import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_NOTE_BYTES } from '@binnacle/kv';
import { decodeVerification, encodeVerification } from './verification.js';

const verification = (...others: number[]) => ({
  fingerprint: 0xffff_ffff,
  revision: 9_000_000,
  others: new Set(others),
});

describe('a verification', () => {
  it('survives a round trip through the note', () => {
    for (const each of [verification(), verification(7), verification(8_999_999, 2, 1_000_000)]) {
      const note = encodeVerification(each);
      assert.ok(note !== undefined);
      assert.deepEqual(decodeVerification(note), each);
    }
  });

  it('has no note when too many values have another form', () => {
    const spread = (count: number, step: number) =>
      encodeVerification(verification(...Array.from({ length: count }, (_, index) => (index + 1) * step)));
    for (const [count, step] of [
      [1900, 1],
      [900, 100],
    ] as const) {
      assert.ok((spread(count, step)?.length ?? Infinity) <= MAX_NOTE_BYTES, `${count}`);
    }
    for (const [count, step] of [
      [2100, 1],
      [1100, 100],
    ] as const) {
      assert.equal(spread(count, step), undefined, `${count}`);
    }
  });

  it('ignores any other note', () => {
    const others = [
      '',
      'null',
      '[]',
      '"text"',
      '{"fingerprint":1,"revision":2}',
      '{"fingerprint":"1","revision":2,"others":[]}',
      '{"fingerprint":1,"revision":null,"others":[]}',
      '{"fingerprint":1,"revision":2,"others":[1,"2"]}',
      '{"fingerprint":1,"revision":2,"others":{"0":1}}',
    ];
    for (const text of others) assert.equal(decodeVerification(Buffer.from(text)), undefined, text);
  });
});
