import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCbor } from '@binnacle/apimachinery/cbor';
import { parseJson } from '@binnacle/apimachinery/json';
import { CBOR_MEDIA_TYPE, JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { compileSchema } from '@binnacle/apimachinery/structural';
import type { DocumentMediaType } from '../stored-document.js';
import { CustomCodec } from './custom-codec.js';
import { CustomVersions } from './custom-versions.js';

function versionsOf(storageMediaType: DocumentMediaType): CustomVersions {
  const codecs = ['v1', 'v2'].map((version) => {
    const groupVersionKind = { group: 'example.com', version, kind: 'Thing' };
    const schema = compileSchema({ type: 'object', properties: { [version]: { type: 'string' }, size: {} } });
    return new CustomCodec({
      groupVersionKind,
      schema,
      definition: `com.example.${version}.Thing`,
      preserveUnknownFields: false,
    });
  });
  const [storage] = codecs;
  assert.ok(storage !== undefined);
  const versions = new Map(codecs.map((codec) => [codec.apiVersion, codec]));
  return new CustomVersions({ storage, versions, selectableFields: () => ({}), storageMediaType });
}

const text =
  '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"size":9007199254740993,"v1":"yes"}';

describe('custom resources in the store', () => {
  it('are written in the configured encoding and read from either', async () => {
    for (const mediaType of [JSON_MEDIA_TYPE, CBOR_MEDIA_TYPE] as const) {
      const versions = versionsOf(mediaType);
      const object = versions.decode(Buffer.from(text));
      object.metadata.resourceVersion = '7';
      object['v2'] = 'of another version';
      const canonical = versions.encode(object);
      assert.equal(Buffer.from(canonical).toString(), text);
      await versions.beforeWriting();
      const stored = versions.toStored(canonical);
      const tree = mediaType === CBOR_MEDIA_TYPE ? decodeCbor(stored).value : parseJson(stored).value;
      assert.deepEqual(tree, parseJson(text).value);
      for (const reader of [versionsOf(JSON_MEDIA_TYPE), versionsOf(CBOR_MEDIA_TYPE)]) {
        await reader.beforeReading(stored);
        const read = reader.canonicalize(stored);
        assert.deepEqual(Buffer.from(read), Buffer.from(canonical));
        assert.deepEqual(Buffer.from(versions.toStored(read)), Buffer.from(stored));
      }
    }
  });
});
