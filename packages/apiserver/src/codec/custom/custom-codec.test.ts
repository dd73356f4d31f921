import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import { compileSchema } from '@binnacle/apimachinery/structural';
import { CustomCodec } from './custom-codec.js';

const spec = { type: 'object', properties: { text: { type: 'string' }, free: { type: 'string', nullable: true } } };
const codec = new CustomCodec({
  groupVersionKind: { group: 'example.com', version: 'v1', kind: 'Thing' },
  schema: compileSchema({ type: 'object', properties: { spec } }),
  definition: 'com.example.v1.Thing',
  preserveUnknownFields: false,
});

function thing(metadata: JsonObject): JsonObject {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { text: null, free: null } };
}

describe('a custom resource', () => {
  it('drops null where its schema does not allow it', () => {
    assert.deepEqual(codec.decode(thing({ name: 'a' })).object['spec'], { free: null });
    assert.deepEqual(codec.decodeStored(thing({ name: 'a' }))['spec'], { free: null });
  });

  it('keeps null in an apply, so that validation refuses it', () => {
    assert.deepEqual(codec.decodeApplied(thing({ name: 'a' }))['spec'], { text: null, free: null });
  });

  const unreadable: [what: string, metadata: JsonObject][] = [
    ['an invalid time', { name: 'a', creationTimestamp: 'yesterday' }],
    ['a number for a time', { name: 'a', deletionTimestamp: 5 }],
    ['a generation with a fraction', { name: 'a', generation: 1.5 }],
  ];
  for (const [what, metadata] of unreadable) {
    it(`is refused with ${what}, and applied without it`, () => {
      assert.throws(() => codec.decode(thing(metadata)), DecodeError);
      assert.deepEqual(codec.decodeApplied(thing(metadata)).metadata, { name: 'a' });
    });
  }

  it('reports duplicate fields below a long key in part', () => {
    const fields = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',');
    const { value, details } = parseJson(`{"metadata":{},"${'x'.repeat(1_400_000)}":{${fields}}}`);
    const duplicates = codec.decode(value, details).strictErrors.filter((text) => text.startsWith('duplicate'));
    assert.equal(duplicates.length, 1);
    assert.match(duplicates[0] ?? '', /^duplicate field "x+\.k0"$/);
  });
});
