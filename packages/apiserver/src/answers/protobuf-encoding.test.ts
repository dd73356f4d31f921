import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { encodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { wholeBody } from '../http/index.js';
import { partialMetadataList } from './long-document.js';
import { protobufEncoding } from './protobuf-encoding.js';

/** The envelope, and the message that the table of facts has for its type. */
function checkMessage(bytes: Uint8Array, version: string, kind: string, object: JsonObject): void {
  const envelope = readEnvelope(bytes);
  assert.deepEqual([envelope.apiVersion, envelope.kind], [`meta.k8s.io/${version}`, kind]);
  const schema = kindSchema({ group: 'meta.k8s.io', version, kind });
  assert.ok(schema !== undefined);
  assert.deepEqual(Buffer.from(envelope.raw), Buffer.from(encodeProtobuf(object, schema)));
}

// Upstream: the generated.proto files of meta.k8s.io, where lists of v1beta1 have other field numbers.
for (const version of ['v1', 'v1beta1'] as const) {
  describe(`partial metadata in protobuf, ${version}`, () => {
    const metadata = { resourceVersion: '7', continue: 'more', remainingItemCount: 3 };
    const objects: JsonObject[] = ['a', 'b'].map((name) => ({ metadata: { name, labels: { b: '1', a: '' } } }));
    const apiVersion = `meta.k8s.io/${version}`;
    const kind = 'PartialObjectMetadata';

    it('encodes a list', async () => {
      for (const items of [[], objects]) {
        const json = items.map((item) => Buffer.from(stringifyJson({ kind, apiVersion, ...item })));
        const body = await protobufEncoding.longDocument(partialMetadataList(version, metadata, items.length, json));
        checkMessage(wholeBody(body), version, `${kind}List`, { metadata, items });
      }
    });

    it('encodes an object, stored or not', () => {
      for (const object of objects) {
        const json = Buffer.from(stringifyJson({ kind, apiVersion, ...object }));
        checkMessage(protobufEncoding.partialMetadata(version, json), version, kind, object);
        checkMessage(protobufEncoding.document({ kind, apiVersion, ...object }), version, kind, object);
      }
    });
  });
}
