/** The same answers in protobuf as in JSON, byte by byte what clients of upstream read. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kindSchema, listSchema, resources, schemaOf } from '@binnacle/api/table';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  readWatchEvent,
  readWatchFrames,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import { decodeTyped } from '@binnacle/apimachinery/serializer';
import { testServer } from 'binnacle/testing';
import { definition } from '../custom-resources/definition.mjs';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const JSON_TYPE = 'application/json';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const pod = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'web' }, annotations: { note: 'grüße' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'example.com/c',
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '250m', memory: '1Gi' } },
        livenessProbe: { httpGet: { path: '/', port: 'http' } },
      },
    ],
  },
});

const widgets = definition({ plural: 'widgets', kind: 'Widget' });

/** The next event of a watch, its object read by the schema. */
async function nextEvent(frames, schema) {
  const { value, done } = await frames.next();
  assert.equal(done, false, 'the watch has ended');
  const { type, object } = readWatchEvent(value);
  const { apiVersion, kind, raw } = readEnvelope(object);
  return { type, object: { kind, apiVersion, ...decodeProtobuf(raw, schema) } };
}

describe('answers in protobuf', () => {
  let server;
  let transport;

  async function send(method, path, { accept = PROTOBUF, body, contentType = JSON_TYPE } = {}) {
    const response = await transport.send({
      method,
      path,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    const chunks = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return { status: response.status, type: response.headers['content-type'], bytes: Buffer.concat(chunks) };
  }

  /** What an answer in protobuf says, as JSON; `schema` by the kind that it names unless one is given. */
  function read({ type, bytes }, schema) {
    assert.equal(type, PROTOBUF);
    const { apiVersion, kind, raw } = readEnvelope(bytes);
    return { kind, apiVersion, ...decodeProtobuf(raw, schema ?? schemaOf(`${META}.${kind}`)) };
  }

  /** The same in JSON, read by the same schema. */
  async function json(path, schema, accept = JSON_TYPE) {
    const answer = await send('GET', path, { accept });
    assert.equal(answer.type, JSON_TYPE);
    const document = JSON.parse(answer.bytes.toString());
    const { object } = decodeTyped(document, schema ?? schemaOf(`${META}.${document.kind}`));
    const { kind, apiVersion } = document;
    return { kind, apiVersion, ...object };
  }

  before(async () => {
    server = await testServer({ controllers: '', disableAdmissionPlugins: 'ServiceAccount' });
    transport = server.transport;
  });
  after(async () => {
    await server.stop();
  });

  it('is the object that JSON is, sent in protobuf or not', async () => {
    const schema = kindSchema({ group: '', version: 'v1', kind: 'Pod' });
    const created = read(await send('POST', PODS, { body: pod('a') }), schema);
    assert.deepEqual(await json(`${PODS}/a`, schema), created);
    const { metadata, spec } = pod('b');
    const sent = wrapEnvelope('v1', 'Pod', encodeProtobuf({ metadata, spec }, schema));
    const answer = await send('POST', PODS, { body: sent, contentType: PROTOBUF });
    assert.equal(answer.status, 201);
    assert.deepEqual(await json(`${PODS}/b`, schema), read(answer, schema));
    const patched = await send('PATCH', `${PODS}/b`, {
      body: { metadata: { labels: { more: 'yes' } } },
      contentType: 'application/strategic-merge-patch+json',
    });
    assert.deepEqual(read(patched, schema).metadata.labels, { app: 'web', more: 'yes' });
  });

  it('holds for every kind that is listed: metadata in field 1, items in field 2', async () => {
    let compared = 0;
    for (const resource of resources()) {
      const { group, version, namespaced } = resource;
      const schema = listSchema(resource);
      if (schema === undefined) continue;
      const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${prefix}/${namespaced ? 'namespaces/default/' : ''}${resource.resource}`;
      const answer = await send('GET', path);
      if (answer.status === 404) continue;
      assert.deepEqual(read(answer, schema), await json(path, schema), path);
      compared++;
    }
    assert.ok(compared > 50, String(compared));
  });

  it('comes in pieces when it is long, and by pages', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `long-${String(index).padStart(2, '0')}`);
    for (const name of names) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { padding: name.repeat(3000) } };
      assert.equal((await send('POST', CONFIG_MAPS, { body })).status, 201);
    }
    const schema = kindSchema({ group: '', version: 'v1', kind: 'ConfigMapList' });
    assert.deepEqual(read(await send('GET', CONFIG_MAPS), schema), await json(CONFIG_MAPS, schema));
    const page = read(await send('GET', `${CONFIG_MAPS}?limit=7`), schema);
    assert.equal(page.items.length, 7);
    assert.equal(page.metadata.remainingItemCount, 33);
    const next = await send('GET', `${CONFIG_MAPS}?limit=7&continue=${encodeURIComponent(page.metadata.continue)}`);
    assert.equal(read(next, schema).items[0].metadata.name, 'long-07');
  });

  it('has errors and successes as Status', async () => {
    const missing = await send('GET', `${CONFIG_MAPS}/none`);
    assert.equal(missing.status, 404);
    const status = read(missing);
    assert.deepEqual([status.status, status.reason, status.code], ['Failure', 'NotFound', 404]);
    assert.deepEqual(status, await json(`${CONFIG_MAPS}/none`));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'short' } };
    await send('POST', CONFIG_MAPS, { body });
    const deleted = read(await send('DELETE', `${CONFIG_MAPS}/short`));
    assert.deepEqual([deleted.status, deleted.details.name], ['Success', 'short']);
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n1' };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target };
    assert.equal(read(await send('POST', `${PODS}/a/binding`, { body: binding })).status, 'Success');
  });

  it('gives metadata alone, and leaves tables to JSON', async () => {
    const partial = `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
    const one = read(await send('GET', `${PODS}/a`, { accept: partial }));
    assert.deepEqual(
      one,
      await json(`${PODS}/a`, undefined, `${JSON_TYPE};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`),
    );
    const list = `as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    const many = read(await send('GET', PODS, { accept: `${PROTOBUF};${list},${JSON_TYPE};${list}` }));
    const inJson = await json(PODS, undefined, `${JSON_TYPE};${list}`);
    // Items say of what kind they are in JSON alone.
    assert.deepEqual(many, { ...inJson, items: inJson.items.map(({ metadata }) => ({ metadata })) });
    const table = 'as=Table;g=meta.k8s.io;v=v1';
    const rows = await json(PODS, undefined, `${PROTOBUF};${table},${JSON_TYPE};${table}`);
    assert.equal(rows.kind, 'Table');
    const nothing = await send('GET', PODS, { accept: `${PROTOBUF};${table}` });
    assert.equal(nothing.status, 406);
  });

  it('watches in frames, which end with a Status when the past is gone', async () => {
    const { metadata } = await json(CONFIG_MAPS, kindSchema({ group: '', version: 'v1', kind: 'ConfigMapList' }));
    const query = `watch=1&allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Dwatched`;
    const response = await transport.send({
      method: 'GET',
      path: `${CONFIG_MAPS}?${query}`,
      headers: { accept: `${PROTOBUF};stream=watch,${JSON_TYPE}` },
    });
    assert.equal(response.headers['content-type'], `${PROTOBUF};stream=watch`);
    const frames = readWatchFrames(response.body);
    const schema = kindSchema({ group: '', version: 'v1', kind: 'ConfigMap' });
    const bookmark = await nextEvent(frames, schema);
    assert.equal(bookmark.type, 'BOOKMARK');
    assert.deepEqual(bookmark.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
    assert.ok(Number(bookmark.object.metadata.resourceVersion) >= Number(metadata.resourceVersion));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'watched' }, data: { a: 'b' } };
    await send('POST', CONFIG_MAPS, { body });
    const current = await json(`${CONFIG_MAPS}/watched`, schema);
    assert.deepEqual(await nextEvent(frames, schema), { type: 'ADDED', object: current });
    await send('DELETE', `${CONFIG_MAPS}/watched`);
    assert.equal((await nextEvent(frames, schema)).type, 'DELETED');
    response.cancel();
    const match = { resource: 'configmaps', verb: 'watch' };
    const expiry = server.faults.add({ match, action: { type: 'cutWatch', how: 'expire' } });
    const cut = await transport.send({ method: 'GET', path: `${CONFIG_MAPS}?watch=1`, headers: { accept: PROTOBUF } });
    const end = await nextEvent(readWatchFrames(cut.body), schemaOf(`${META}.Status`));
    assert.deepEqual([end.type, end.object.reason, end.object.code], ['ERROR', 'Expired', 410]);
    expiry.remove();
  });

  it('custom resources have none, but their metadata and what is said of them has', async () => {
    assert.equal(
      (await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: widgets })).status,
      201,
    );
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
    let created;
    do created = await send('POST', WIDGETS, { body, accept: `${PROTOBUF},${JSON_TYPE}` });
    while (created.status === 404);
    assert.deepEqual([created.status, created.type], [201, JSON_TYPE]);
    const only = await send('GET', `${WIDGETS}/w`);
    assert.equal(only.status, 406);
    assert.equal(read(only).reason, 'NotAcceptable');
    const partial = 'as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const metadata = read(await send('GET', `${WIDGETS}/w`, { accept: `${PROTOBUF};${partial}` }));
    assert.deepEqual(metadata, await json(`${WIDGETS}/w`, undefined, `${JSON_TYPE};${partial}`));
    assert.equal(read(await send('GET', `${WIDGETS}/none`, { accept: `${PROTOBUF},${JSON_TYPE}` })).code, 404);
  });
});
