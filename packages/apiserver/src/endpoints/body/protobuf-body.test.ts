import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { StatusError } from '@binnacle/apimachinery/status';
import { BuiltInCodec, type KindCodec } from '../../codec/index.js';
import { RequestContext } from '../../request/index.js';
import { FakeExchange } from '../../testing/index.js';
import { readObject } from './body.js';

class ProtobufExchange extends FakeExchange {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    super({ method: 'POST', headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } });
    this.#bytes = Buffer.from(bytes);
  }

  override readBody(): Promise<Buffer> {
    return Promise.resolve(this.#bytes);
  }
}

function codecOf(kind: string): KindCodec {
  const groupVersionKind = { group: '', version: 'v1', kind };
  const schema = kindSchema(groupVersionKind);
  assert.ok(schema !== undefined);
  return new BuiltInCodec(groupVersionKind, schema);
}

const configMaps = codecOf('ConfigMap');
const raw = encodeProtobuf({ metadata: { name: 'a' }, data: { key: 'value' } }, configMaps.schema);

function read(bytes: Uint8Array, codec = configMaps): Promise<unknown> {
  const context = new RequestContext(new ProtobufExchange(bytes), '/', new URLSearchParams(), 0);
  return readObject(context, codec, 'Strict', (kind) => kind.kind === 'ConfigMap');
}

async function refused(reading: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(reading, (error) => {
    assert.ok(error instanceof StatusError);
    assert.deepEqual([error.code, error.message], [400, message]);
    return true;
  });
}

test('an object in protobuf decodes to the same object as in JSON, with defaults', async () => {
  const expected = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { key: 'value' } };
  assert.deepEqual(await read(wrapEnvelope('v1', 'ConfigMap', raw)), expected);
  const message = encodeProtobuf({ metadata: { name: 's' } }, codecOf('Secret').schema);
  const secret = await read(wrapEnvelope('v1', 'Secret', message), codecOf('Secret'));
  assert.deepEqual(secret, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' }, type: 'Opaque' });
});

test('missing kind and version, or a missing version, are taken from the request', async () => {
  for (const [version, kind] of [
    ['', ''],
    ['v1', ''],
    ['', 'ConfigMap'],
    ['a/b/c', 'ConfigMap'],
  ] as const) {
    assert.equal(((await read(wrapEnvelope(version, kind, raw))) as { kind: string }).kind, 'ConfigMap');
  }
});

test('a body that is not protobuf, or of another kind, is refused in upstream words', async () => {
  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
  await refused(
    read(Buffer.from('{}')),
    `${unrecognized}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})`,
  );
  await refused(read(Buffer.from('k8s\0\u000a\u0005')), `${unrecognized}unexpected EOF (6b3873000a05)`);
  await refused(
    read(wrapEnvelope('v1', 'ConfigMap', Uint8Array.of(0x0a, 0x05))),
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
  );
  await refused(
    read(wrapEnvelope('v1', 'Nonsense', raw)),
    'Nonsense in version "v1" cannot be handled as a ConfigMap: no kind "Nonsense" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  );
});

test('kinds without a protobuf form refuse it', async () => {
  const { groupVersionKind, apiVersion, schema } = configMaps;
  const custom: KindCodec = {
    groupVersionKind,
    apiVersion,
    schema,
    decode: (value, details) => configMaps.decode(value, details),
    decodeInSteps: (value, details) => configMaps.decodeInSteps(value, details),
    decodeStored: (value) => configMaps.decodeStored(value),
    encode: (object) => configMaps.encode(object),
    encodeInSteps: (object) => configMaps.encodeInSteps(object),
    documentInSteps: (object) => configMaps.documentInSteps(object),
    applyDefaults: (object) => configMaps.applyDefaults(object),
  };
  await refused(
    read(wrapEnvelope('v1', 'ConfigMap', raw), custom),
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message',
  );
});
