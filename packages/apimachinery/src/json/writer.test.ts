import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonWriter } from './index.js';

describe('JsonWriter', () => {
  it('writes text and bytes as they are, of any length', () => {
    const texts = ['"é\u{1f600}"', 'x'.repeat(5000), 'é'.repeat(20_000)];
    const writer = new JsonWriter();
    for (const text of texts) {
      writer.text(text);
      writer.bytes(Buffer.from(text));
    }
    const expected = texts.map((text) => text + text).join('');
    assert.equal(writer.toText(), expected);
    assert.equal(Buffer.from(writer.view()).toString(), expected);
    assert.equal(writer.position, Buffer.byteLength(expected));
  });

  it('shows its output without a copy, and starts again after a reset', () => {
    const writer = new JsonWriter();
    writer.string('first');
    const view = writer.view();
    writer.reset();
    writer.string('later');
    assert.equal(Buffer.from(view).toString(), '"later"');
    assert.equal(writer.toText(), '"later"');
  });
});
