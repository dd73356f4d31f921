import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePortRange, PortBitmap } from './port-bitmap.js';

const usual = parsePortRange('30000-32767');

describe('parsePortRange', () => {
  for (const [text, first, last] of [
    ['30000-32767', 30000, 32767],
    ['30000+100', 30000, 30100],
    ['8080', 8080, 8080],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(parsePortRange(text), { first, last, text: `${first}-${last}` }));
  }
  for (const text of ['', 'a-b', '0-10', '10-5', '1-70000', '1-2-3']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parsePortRange(text), RangeError));
  }
});

describe('PortBitmap', () => {
  it('is stored as one big-endian number whose bit n is the n-th port', () => {
    const bitmap = new PortBitmap(usual);
    bitmap.add(30000);
    bitmap.add(30009);
    assert.deepEqual([...bitmap.toBytes()], [0x02, 0x01]);
    assert.deepEqual([...new PortBitmap(usual, bitmap.toBytes()).taken()], [30000, 30009]);
    bitmap.remove(30009);
    bitmap.remove(30000);
    assert.equal(bitmap.toBytes().length, 0);
  });

  it('leaves ports outside its range alone', () => {
    const bitmap = new PortBitmap(usual);
    bitmap.add(80);
    bitmap.remove(80);
    assert.equal(bitmap.has(80), false);
    assert.deepEqual([...bitmap.taken()], []);
  });
});
