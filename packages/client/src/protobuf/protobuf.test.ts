import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import {
  decodeProtobuf,
  encodeProtobuf,
  frameWatchEvent,
  readEnvelope,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import type { FieldSchema, StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { decodeTyped } from '@binnacle/apimachinery/serializer';
import { SharedInformerFactory } from '../cache/index.js';
import { DynamicClient } from '../dynamic/index.js';
import {
  createRequest,
  decodeObject,
  isExpired,
  isNotFound,
  patchRequest,
  UnexpectedResponseError,
} from '../rest/index.js';
import { type ScriptedAnswer, ScriptedTransport } from '../testing/index.js';
import type { TransportRequest } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { protobufEncoding } from './index.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const BOTH = `${PROTOBUF},application/json`;

const string: ValueSchema = { kind: 'string', goType: 'string' };
const integer: ValueSchema = { kind: 'integer', bits: 32, goType: 'int32' };

function field(name: string, value: ValueSchema, number?: number, more: Partial<FieldSchema> = {}): FieldSchema {
  const plain = { required: false, omitEmpty: true, omitZero: false, pointer: false };
  return { ...plain, name, value, protobuf: number, ...more };
}

function struct(goName: string, fields: readonly FieldSchema[]): StructSchema {
  return { name: `test.${goName}`, goName, fields, byName: new Map(fields.map((each) => [each.name, each])) };
}

const reference = (type: StructSchema): ValueSchema => ({ kind: 'struct', type });
const listOf = (items: ValueSchema): ValueSchema => ({ kind: 'list', items });
const type = [field('kind', string), field('apiVersion', string)];
const metadata = struct('ObjectMeta', [
  field('name', string, 1),
  field('namespace', string, 3),
  field('resourceVersion', string, 6),
]);
const spec = struct('BoatSpec', [
  field('sails', integer, 1, { pointer: true }),
  field('crew', listOf(string), 2, { omitEmpty: false }),
]);
const boat = struct('Boat', [...type, field('metadata', reference(metadata), 1), field('spec', reference(spec), 2)]);
const listMeta = struct('ListMeta', [field('resourceVersion', string, 2), field('continue', string, 3)]);
const boatList = struct('BoatList', [
  ...type,
  field('metadata', reference(listMeta), 1),
  field('items', listOf(reference(boat)), 2, { omitEmpty: false }),
]);
const status = struct('Status', [
  ...type,
  field('metadata', reference(listMeta), 1),
  field('status', string, 2),
  field('message', string, 3),
  field('reason', string, 4),
  field('code', integer, 6),
]);
const deleteOptions = struct('DeleteOptions', [
  ...type,
  field('gracePeriodSeconds', { kind: 'integer', bits: 64, goType: 'int64' }, 1, { pointer: true }),
]);

const schemas = new Map<string, StructSchema>([
  ['sea/v1/Boat', boat],
  ['sea/v1/BoatList', boatList],
  ['/v1/Status', status],
  ['/v1/DeleteOptions', deleteOptions],
]);
const schemaOf = ({ group, version, kind }: GroupVersionKind) => schemas.get(`${group}/${version}/${kind}`);
const encoding = protobufEncoding(schemaOf);

interface Boat extends TypedObject {
  readonly spec?: { readonly sails?: number; readonly crew?: readonly string[] | null };
}
const Boat: ResourceType<Boat> = { group: 'sea', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };
const Raft: ResourceType = { ...Boat, kind: 'Raft', plural: 'rafts' };
const boats = { group: 'sea', version: 'v1', resource: 'boats' };

/** The bytes that a server sends. */
function bytesOf(object: JsonObject): Uint8Array {
  const { apiVersion, kind } = object;
  assert.ok(typeof apiVersion === 'string' && typeof kind === 'string');
  const groupVersion = parseGroupVersion(apiVersion);
  assert.ok(groupVersion);
  const schema = schemaOf({ ...groupVersion, kind });
  assert.ok(schema);
  return wrapEnvelope(apiVersion, kind, encodeProtobuf(decodeTyped(object, schema).object, schema));
}

const answerOf = (object: JsonObject, code = 200): ScriptedAnswer => ({
  status: code,
  headers: { 'content-type': PROTOBUF },
  chunks: [bytesOf(object)],
});

const dinghy = {
  apiVersion: 'sea/v1',
  kind: 'Boat',
  metadata: { name: 'dinghy', namespace: 'bay', resourceVersion: '7' },
};
/** Its JSON value. */
const shown = { ...dinghy, spec: { crew: null } };
const gone = {
  apiVersion: 'v1',
  kind: 'Status',
  metadata: {},
  status: 'Failure',
  message: 'it went',
  reason: 'Expired',
  code: 410,
};

function clientOf(answer: (request: TransportRequest) => ScriptedAnswer) {
  const transport = new ScriptedTransport(answer);
  return { transport, client: new DynamicClient(transport, { encoding }) };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('a client with protobuf encoding', () => {
  it('accepts both encodings and reads the same values as from JSON', async () => {
    const { transport, client } = clientOf(() => answerOf(dinghy));
    assert.deepEqual(await client.resource(Boat).namespace('bay').get('dinghy'), shown);
    await client.resource(Boat).namespace('bay').get('dinghy', { metadataOnly: true });
    const partial = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    assert.deepEqual(
      transport.requests.map(({ headers }) => headers?.['accept']),
      [BOTH, `${PROTOBUF};${partial},application/json;${partial},application/json`],
    );
  });

  it('sends objects in protobuf, or in JSON if their schema does not cover them', async () => {
    const { transport, client } = clientOf(() => answerOf(dinghy));
    const fleet = client.resource(Boat);
    await fleet.create(dinghy);
    await fleet.update({ ...shown, spec: { sails: 0, crew: ['a'] } });
    const [created, updated] = transport.requests;
    for (const request of [created, updated]) {
      assert.deepEqual(request?.headers, { accept: BOTH, 'content-type': PROTOBUF });
    }
    assert.deepEqual(created?.body, bytesOf(dinghy));
    assert.ok(updated?.body instanceof Uint8Array);
    const { raw } = readEnvelope(updated.body);
    assert.deepEqual(decodeProtobuf(raw, boat).spec, { sails: 0, crew: ['a'] });
    const target = { resource: boats, namespace: 'bay' };
    for (const odd of [
      { ...dinghy, flag: 'red' },
      { ...dinghy, spec: { sails: 'two' } },
      { metadata: dinghy.metadata },
      { ...dinghy, apiVersion: 'a/b/c' },
      { ...dinghy, kind: 'Raft' },
    ]) {
      const { headers, body } = createRequest(target, odd, {}, encoding);
      assert.deepEqual(headers, { accept: BOTH, 'content-type': 'application/json' });
      assert.deepEqual(JSON.parse(String(body)), odd);
    }
    assert.equal(createRequest(target, '{"kind":"Boat"}', {}, encoding).body, '{"kind":"Boat"}');
  });

  it('sends patches in JSON and delete options in protobuf', async () => {
    const patch = patchRequest({ resource: boats, name: 'a' }, { type: 'merge', body: dinghy }, {}, encoding);
    assert.deepEqual(patch.headers, { accept: BOTH, 'content-type': 'application/merge-patch+json' });
    assert.deepEqual(JSON.parse(String(patch.body)), dinghy);
    const { transport, client } = clientOf(() => answerOf({ ...gone, status: 'Success', code: 200 }));
    await client.resource(Boat).delete('a', { gracePeriodSeconds: 0 });
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    assert.deepEqual(transport.requests[0]?.body, bytesOf(options));
  });

  it('uses JSON for kinds without a schema and for resources without a kind', async () => {
    const { transport, client } = clientOf(() => ({ object: dinghy }));
    await client.resource(Raft).create({ ...dinghy, kind: 'Raft' });
    assert.deepEqual(await client.resource(boats).get('dinghy'), dinghy);
    for (const { headers } of transport.requests) assert.equal(headers?.['accept'], 'application/json');
    assert.deepEqual(await client.resource(Boat).get('dinghy'), dinghy, 'an answer in JSON is read as it is');
  });

  it('lists by pages', async () => {
    const page = (name: string, next: string): JsonObject => ({
      apiVersion: 'sea/v1',
      kind: 'BoatList',
      metadata: { resourceVersion: '9', continue: next },
      items: [{ metadata: { name } }],
    });
    const { client } = clientOf(({ path }) => answerOf(path.includes('continue=x') ? page('b', '') : page('a', 'x')));
    const items = await collect(client.resource(Boat).items());
    const type = { apiVersion: 'sea/v1', kind: 'Boat' };
    assert.deepEqual(
      items,
      ['a', 'b'].map((name) => ({ ...type, metadata: { name }, spec: { crew: null } })),
    );
    const empty = { apiVersion: 'sea/v1', kind: 'BoatList', metadata: { resourceVersion: '3' } };
    const { client: other } = clientOf(() => answerOf(empty));
    assert.deepEqual(await other.resource(Boat).list(), { ...empty, items: [] });
  });

  it('reads refusals in both encodings', async () => {
    for (const answer of [
      answerOf({ ...gone, reason: 'NotFound', code: 404 }, 404),
      { status: 404, object: { ...gone, reason: 'NotFound' } },
    ]) {
      const { client } = clientOf(() => answer);
      await assert.rejects(client.resource(Boat).get('a'), isNotFound);
      await assert.rejects(
        client.resource(Boat).watch().next(),
        (error) => isNotFound(error) && error.message === 'it went',
      );
    }
    const { client } = clientOf(() => ({ status: 503, headers: { 'content-type': 'text/plain' }, object: 'no' }));
    await assert.rejects(client.resource(Boat).get('a'), /currently unable/);
  });

  it('names the kind of a response that it cannot read', () => {
    const request = { method: 'GET', path: '/x' };
    const head = { status: 200, headers: { 'content-type': PROTOBUF } };
    const raft = wrapEnvelope('sea/v1', 'Raft', new Uint8Array());
    assert.throws(() => decodeObject(request, head, raft, encoding), /a Raft of sea\/v1 in protobuf.*request JSON/);
    for (const body of [raft.subarray(0, 9), new Uint8Array(), Buffer.from('{}')]) {
      assert.throws(() => decodeObject(request, head, body, encoding), UnexpectedResponseError);
    }
  });

  it('reads watch frames up to a final Status', async () => {
    const stream = [
      frameWatchEvent('ADDED', bytesOf(dinghy)),
      frameWatchEvent('BOOKMARK', bytesOf({ ...dinghy, metadata: { resourceVersion: '9' } })),
      frameWatchEvent('ERROR', bytesOf(gone)),
    ];
    const all = Buffer.concat(stream);
    const headers = { 'content-type': `${PROTOBUF};stream=watch` };
    const { client } = clientOf(() => ({ headers, chunks: [all.subarray(0, 50), all.subarray(50)] }));
    const watch = client.resource(Boat).watch({ resourceVersion: '1' });
    assert.deepEqual((await watch.next()).value, { type: 'ADDED', object: shown });
    const bookmark = { ...shown, metadata: { resourceVersion: '9' } };
    assert.deepEqual((await watch.next()).value, { type: 'BOOKMARK', object: bookmark });
    await assert.rejects(watch.next(), isExpired);
    for (const chunk of [frameWatchEvent('ADDED', new Uint8Array()), frameWatchEvent('NEWS', bytesOf(dinghy))]) {
      const { client: misled } = clientOf(() => ({ headers, chunks: [chunk] }));
      await assert.rejects(misled.resource(Boat).watch().next(), UnexpectedResponseError);
    }
  });

  it('feeds informers', async () => {
    const end = new AbortController();
    const { client } = clientOf(({ path }) =>
      path.includes('watch=true')
        ? { headers: { 'content-type': `${PROTOBUF};stream=watch` }, chunks: untilAborted(end.signal) }
        : answerOf({ apiVersion: 'sea/v1', kind: 'BoatList', metadata: { resourceVersion: '8' }, items: [dinghy] }),
    );
    async function* untilAborted(signal: AbortSignal): AsyncGenerator<Uint8Array> {
      const metadata = { ...dinghy.metadata, name: 'raft', resourceVersion: '9' };
      yield frameWatchEvent('ADDED', bytesOf({ ...dinghy, metadata }));
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    const informers = new SharedInformerFactory(client);
    const informer = informers.informer(Boat);
    const added = new Promise<void>((resolve) => {
      informer.addHandler({ onAdd: ({ metadata: { name } }) => name === 'raft' && resolve() });
    });
    const running = informers.run(end.signal);
    await added;
    assert.deepEqual(informer.lister.namespace('bay').get('dinghy'), shown);
    assert.deepEqual(informer.lister.list().length, 2);
    end.abort();
    await running;
  });
});
