import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { BadDocumentError } from './backend-documents.js';
import { DocumentReader } from './document-reader.js';

const document = (text: string) => ({ path: '/apis', digest: text, body: Buffer.from(text) });

/** Counts how often a document is converted. Numbers are bad. */
function world() {
  const converted: JsonValue[] = [];
  const reader = new DocumentReader<{ readonly value: JsonValue }>();
  function* convert(value: JsonValue): Steps<{ readonly value: JsonValue }> {
    converted.push(value);
    yield;
    if (typeof value === 'number') throw new Error('a number');
    return { value };
  }
  return { converted, reader, read: (name: string, text: string) => reader.read(name, document(text), convert) };
}

describe('DocumentReader', () => {
  it('reads a document again only when it has changed', async () => {
    const { read, converted } = world();
    const first = await read('a', '"x"');
    assert.equal(await read('a', '"x"'), first);
    assert.deepEqual(await read('a', '"y"'), { value: 'y' });
    assert.deepEqual(converted, ['x', 'y']);
  });

  it('reads each name separately, and again after it was forgotten', async () => {
    const { read, reader, converted } = world();
    await read('a', '"x"');
    await read('b', '"x"');
    reader.forget('a');
    await read('a', '"x"');
    assert.deepEqual(converted, ['x', 'x', 'x']);
  });

  it('fails again for a bad document without reading it again', async () => {
    const { read, converted } = world();
    for (let time = 0; time < 2; time++) {
      await assert.rejects(read('a', '7'), { constructor: BadDocumentError, message: 'a: /apis: a number' });
      await assert.rejects(read('b', '{"a":'), {
        constructor: BadDocumentError,
        message: /^b: \/apis: unexpected end of JSON/,
      });
    }
    assert.deepEqual(converted, [7]);
  });
});
