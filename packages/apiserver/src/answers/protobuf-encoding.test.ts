import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import { encodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { wholeBody } from '../http/index.js';
import { partialMetadataList } from './long-document.js';
import { protobufEncoding } from './protobuf-encoding.js';

/** The envelope, with the message that the table has for what it says of itself. */
function checkMessage(bytes: Uint8Array, version: string, kind: string, object: JsonObject): void {
  const envelope = readEnvelope(bytes);
  assert.deepEqual([envelope.apiVersion, envelope.kind], [`meta.k8s.io/${version}`, kind]);
  const schema = kindSchema({ group: 'meta.k8s.io', version, kind });
  assert.ok(schema !== undefined);
  assert.deepEqual(Buffer.from(envelope.raw), Buffer.from(encodeProtobuf(object, schema)));
}

// Upstream: the generated.proto files of meta.k8s.io, in which v1beta1 has numbers of its own for lists.
for (const version of ['v1', 'v1beta1'] as const) {
  describe(`metadata alone in protobuf, of ${version}`, () => {
    const metadata = { resourceVersion: '7', continue: 'more', remainingItemCount: 3 };
    const objects: JsonObject[] = ['a', 'b'].map((name) => ({ metadata: { name, labels: { b: '1', a: '' } } }));
    const apiVersion = `meta.k8s.io/${version}`;
    const kind = 'PartialObjectMetadata';

    it('is of a list', async () => {
      for (const items of [[], objects]) {
        const json = items.map((item) => Buffer.from(stringifyJson({ kind, apiVersion, ...item })));
        const body = await protobufEncoding.longDocument(partialMetadataList(version, metadata, items.length, json));
        checkMessage(wholeBody(body), version, `${kind}List`, { metadata, items });
      }
    });

    it('is of an object, stored or not', () => {
      for (const object of objects) {
        const json = Buffer.from(stringifyJson({ kind, apiVersion, ...object }));
        checkMessage(protobufEncoding.partialMetadata(version, json), version, kind, object);
        checkMessage(protobufEncoding.document({ kind, apiVersion, ...object }), version, kind, object);
      }
    });
  });
}
