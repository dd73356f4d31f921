import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, shareJson, writeSharedJson } from './index.js';
import { writeJsonText } from './writer.js';

const written = (object: JsonObject) =>
  writeJsonText((writer) => {
    writer.byte(0x20);
    writeSharedJson(writer, object);
  });

describe('writeSharedJson', () => {
  it('writes each object as it is', () => {
    const object: JsonObject = { b: { 'ä<': 1 }, a: [null, 'x'] };
    for (let time = 0; time < 3; time++) assert.equal(written(object), ' {"b":{"ä\\u003c":1},"a":[null,"x"]}');
    delete object['b'];
    assert.equal(written(object), ' {"a":[null,"x"]}');
  });

  it('keeps the text of a shared object', () => {
    const object: JsonObject = { 'ä<': {} };
    shareJson(object);
    for (let time = 0; time < 3; time++) assert.equal(written(object), ' {"ä\\u003c":{}}');
    // No one may do this. It shows that the text is kept.
    object['b'] = 1;
    assert.equal(written(object), ' {"ä\\u003c":{}}');
  });

  it('does not keep a long text', () => {
    const object: JsonObject = { a: 'x'.repeat(20_000) };
    shareJson(object);
    assert.equal(written(object).length, 20_009);
    object['a'] = '';
    assert.equal(written(object), ' {"a":""}');
  });

  it('forgets texts when there are many others', () => {
    const object: JsonObject = { a: 1 };
    shareJson(object);
    written(object);
    for (let count = 0; count < 500; count++) {
      const other: JsonObject = { a: 'y'.repeat(10_000) };
      shareJson(other);
      written(other);
    }
    object['a'] = 2;
    assert.equal(written(object), ' {"a":2}');
  });
});
