import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ValueReader } from '@binnacle/kv';
import { testResource } from '../testing/index.js';
import { ByteSlabs } from './byte-slabs.js';
import { StoredValue } from './stored-value.js';

const canonical = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u-1"},"data":{"a":"b"}}';

function valueOf(text: string, isCanonical = false): StoredValue {
  const { codec } = testResource().storage;
  return new StoredValue({ codec, key: 'a', revision: 3, value: Buffer.from(text), isCanonical });
}

/** Returns one buffer for all reads, like a store. */
function readerOf(text: string): ValueReader {
  const bytes = Buffer.alloc(text.length);
  const read = (): Uint8Array => {
    bytes.write(text);
    return bytes;
  };
  return { read, load: () => ({ value: read() }), advance: () => bytes.fill(0), close: () => undefined };
}

describe('StoredValue', () => {
  it('reads a foreign form, and knows that the store has that form', () => {
    const foreign = '{ "apiVersion":"v1", "kind":"ConfigMap", "data":{"a":"b"}, "metadata":{"uid":"u-1","name":"a"} }';
    const object = valueOf(foreign);
    const own = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u-1"},"data":{"a":"b"}}';
    const bytes = Buffer.from(own);
    assert.equal(object.isStoredAs(bytes, bytes), false);
    assert.equal(object.canonical.toString(), own);
    assert.equal(object.isStoredAs(bytes, bytes), false);
    const same = valueOf(own);
    assert.equal(same.canonical.toString(), own);
    assert.equal(same.isStoredAs(bytes, bytes), true);
  });

  it('recognizes another encoding of the same object, whether read or written', () => {
    const codec = testResource().storage.codec;
    const bytes = Buffer.from(canonical);
    const other = Buffer.from(` ${canonical}`);
    const third = Buffer.from(`${canonical} `);
    const read = new StoredValue({ codec, key: 'a', revision: 3, value: other, isCanonical: false });
    const written = new StoredValue({ codec, key: 'a', revision: 3, value: bytes, isCanonical: true, stored: other });
    assert.equal(read.isStoredAs(other, bytes), true, 'as it came');
    assert.equal(read.canonical.toString(), canonical);
    for (const object of [read, written]) {
      assert.equal(object.isStoredAs(other, bytes), true);
      assert.equal(object.isStoredAs(bytes, bytes), false);
      assert.equal(object.isStoredAs(third, bytes), false);
      assert.equal(object.isStoredAs(other, third), false, 'another object');
    }
  });

  it('leaves canonical bytes in the store until it is released', () => {
    const value = valueOf(canonical, true);
    const slabs = new ByteSlabs();
    value.keepIn(slabs);
    assert.equal(slabs.live, canonical.length);
    const reader = readerOf(canonical);
    assert.equal(value.readFrom(reader), true);
    assert.equal(slabs.live, 0);
    assert.equal(value.canonical.toString(), canonical);
    value.release();
    reader.advance(4);
    assert.equal(Buffer.from(value.canonical).toString(), canonical);
    assert.equal(value.size, canonical.length);
  });

  it('keeps bytes that the store has in another form', () => {
    const value = valueOf(` ${canonical}`);
    assert.equal(value.readFrom(readerOf('')), false);
    assert.equal(Buffer.from(value.canonical).toString(), canonical);
    assert.equal(value.readFrom(readerOf('')), false);
  });
});
