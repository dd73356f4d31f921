import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { encodeJson, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { wholeBody } from '../http/index.js';
import { inSlices } from '../slices/index.js';
import { StoredObject } from '../storage/index.js';
import { configMap, testResource } from '../testing/index.js';
import { cborEncoding } from './cbor-encoding.js';
import type { Encoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';
import { lazily, partialMetadataList } from './long-document.js';
import { protobufEncoding } from './protobuf-encoding.js';
import { indentedEncoding, yamlEncoding } from './text-encodings.js';

const encodings: Readonly<Record<string, Encoding>> = {
  JSON: jsonEncoding,
  'indented JSON': indentedEncoding,
  YAML: yamlEncoding,
  CBOR: cborEncoding,
};

const text = fc.oneof(
  fc.string({ unit: 'binary-ascii' }),
  fc
    .array(fc.constantFrom(' ', '\n', "'", '"', '\\', 'word', '\u{1f600}', ': ', '#'), { maxLength: 80 })
    .map((parts) => parts.join('')),
);
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('an object that is encoded in steps', () => {
  const { storage, endpoint } = testResource();
  const { codec } = storage;
  for (const [name, encoding] of Object.entries({ ...encodings, protobuf: protobufEncoding })) {
    it(`equals a stored one: ${name}`, async () => {
      for (const keys of [0, 1, 3000]) {
        const data = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, `v: ${index}`]));
        const key = '/registry/configmaps/default/a';
        const value = codec.encode(configMap('a', { data }));
        const stored = new StoredObject({ codec, key, revision: 1, value, isCanonical: true });
        const steps = encoding.objectInSteps(endpoint.main.codec, stored.decode());
        const body = wholeBody(await inSlices(steps));
        const expected = wholeBody(encoding.stored(endpoint.main, stored));
        assert.equal(Buffer.from(body).toString('latin1'), Buffer.from(expected).toString('latin1'));
      }
    });

    it(`lets other work run: ${name}`, () => {
      const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
      const steps = encoding.objectInSteps(endpoint.main.codec, configMap('a', { data }));
      let yields = 0;
      while (steps.next().done !== true) yields++;
      assert.ok(yields > 10, `${yields} steps`);
    });
  }
});

describe('a document with one list that is made while it is sent', () => {
  for (const [name, encoding] of Object.entries(encodings)) {
    it(`equals the whole document: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.dictionary(fc.string(), value, { maxKeys: 4 }), { maxLength: 5 }),
          async (items) => {
            const metadata: JsonObject = { resourceVersion: '7', remainingItemCount: 3 };
            const long = partialMetadataList(
              'v1',
              metadata,
              items.length,
              lazily(items, (item) => encodeJson(item)),
            );
            const { apiVersion, kind } = long;
            const whole = encoding.document({ ...long.fields, apiVersion, kind, items });
            const streamed = Buffer.from(wholeBody(await encoding.longDocument(long)));
            assert.equal(streamed.toString('latin1'), Buffer.from(wholeBody(whole)).toString('latin1'));
          },
        ),
      );
    });
  }

  it('fails before it starts when one of its objects cannot be read', async () => {
    const { storage, endpoint } = testResource();
    const { codec } = storage;
    const readable = codec.encode(configMap('a', {}));
    const key = '/registry/configmaps/default/a';
    const items = [
      new StoredObject({ codec, key, revision: 1, value: readable, isCanonical: true }),
      new StoredObject({ codec, key, revision: 1, value: Buffer.from('{"a'), isCanonical: false }),
    ];
    const head = { kind: 'ConfigMapList', metadata: {} };
    for (const encoding of [...Object.values(encodings), protobufEncoding]) {
      await assert.rejects(encoding.storedList(endpoint.main, head, items));
    }
  });
});
