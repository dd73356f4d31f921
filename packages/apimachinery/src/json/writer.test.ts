import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonWriter, quoteJson } from './index.js';

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

  it('escapes the characters that Go escapes, and no others', () => {
    const writer = new JsonWriter();
    const written = (text: string) => {
      writer.reset();
      writer.string(text);
      return writer.toText();
    };
    for (let code = 0; code < 0x100; code++) {
      const text = `x${String.fromCharCode(code)}`;
      for (const long of [text, text.repeat(40)]) assert.equal(written(long), quoteJson(long));
    }
  });

  it('writes digits with leading zeros', () => {
    const writer = new JsonWriter();
    for (const value of [0, 7, 90_000, 999_999, 1_234_567]) writer.digits(value, 6);
    assert.equal(writer.toText(), '000000000007090000999999234567');
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
