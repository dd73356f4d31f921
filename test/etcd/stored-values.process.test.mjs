/** Values in etcd: the server writes the bytes that kube-apiserver would write, and serves any of them. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Client } from './client.mjs';
import { claimValue, configMapValue, namespaceValue } from './upstream-values.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const JSON_TYPE = 'application/json';
const limit = { timeout: 600_000 };

const configMap = (name, data) => ({ metadata: { name, labels: { b: '2', a: '1' } }, data });
const isProtobuf = (value) => value.subarray(0, 4).toString('latin1') === 'k8s\0';
const versionOf = ({ metadata }) => metadata.resourceVersion;

describe('values in etcd', { skip: withoutEtcd() }, () => {
  let etcd;
  let kv;
  let directory;
  let client;
  let stop = () => Promise.resolve();

  /** A server in place of the one before. */
  const serve = async (options = {}) => {
    await stop();
    const etcdServers = etcd.endpoint;
    const server = await start({
      etcdServers,
      etcdCompactionIntervalMs: 0,
      dataDirectory: directory,
      controllers: '',
      ...options,
    });
    const own = new Client(server);
    client = own;
    stop = async () => {
      own.close();
      await server.stop();
    };
  };

  const valueOf = async (key) => {
    const { items } = await kv.range({ prefix: `/registry/${key}`, exact: true });
    return items.length === 0 ? undefined : Buffer.from(items[0].value);
  };

  const put = async (key, value) => {
    const { items } = await kv.range({ prefix: `/registry/${key}`, exact: true });
    const expectedRevision = items[0]?.modRevision ?? 0;
    await kv.txn({ key: `/registry/${key}`, expectedRevision, operation: { type: 'put', value } });
  };

  const succeed = async (method, path, body, expected = method === 'POST' ? 201 : 200) => {
    const answer = await client.send(method, path, body);
    assert.equal(answer.status, expected, JSON.stringify(answer.body));
    return answer.body;
  };

  before(async () => {
    etcd = await EtcdProcess.start();
    kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    directory = await mkdtemp(join(tmpdir(), 'binnacle-values-'));
  }, limit);
  after(async () => {
    await stop();
    await kv?.close();
    await etcd?.stop();
    await rm(directory, { recursive: true });
  });

  it(
    'are the bytes of kube-apiserver by default, but for custom resources and definitions of APIs in JSON',
    limit,
    async () => {
      await serve();
      const created = await succeed('POST', CONFIG_MAPS, configMap('a', { z: '1', y: 'ü'.repeat(100) }));
      assert.deepEqual(await valueOf('configmaps/default/a'), configMapValue(created));
      assert.equal(created.metadata.managedFields.length, 1);
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } };
      const claim = await succeed('POST', CLAIMS, { metadata: { name: 'a' }, spec });
      assert.equal(claim.spec.resources.requests.storage, '1Gi');
      assert.deepEqual(await valueOf('persistentvolumeclaims/default/a'), claimValue(claim));
      const namespace = await succeed('GET', '/api/v1/namespaces/kube-system');
      assert.deepEqual(await valueOf('namespaces/kube-system'), namespaceValue(namespace));

      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
      const versions = [{ name: 'v1', served: true, storage: true, schema }];
      const definition = { group: 'example.com', scope: 'Namespaced', names, versions };
      await succeed('POST', DEFINITIONS, { metadata: { name: 'things.example.com' }, spec: definition });
      const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
      const isServed = async () =>
        (await succeed('GET', `${DEFINITIONS}/things.example.com`)).status.conditions?.some(
          ({ type, status }) => type === 'Established' && status === 'True',
        );
      for (let tries = 0; !(await isServed()); tries++) {
        assert.ok(tries < 1000, 'never served');
        await pause(20);
      }
      await succeed('POST', THINGS, thing);
      const service = { metadata: { name: 'port' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
      await succeed('POST', '/api/v1/namespaces/default/services', service);

      const { items } = await kv.range({ prefix: '/registry/' });
      const isService = ({ key }) => key.startsWith('/registry/apiregistration.k8s.io/apiservices/');
      const inJson = items.filter(({ value }) => !isProtobuf(Buffer.from(value)));
      assert.deepEqual(
        inJson
          .filter((item) => !isService(item))
          .map(({ key }) => key)
          .sort(),
        [
          '/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com',
          '/registry/example.com/things/default/a',
        ],
      );
      // The server registers its own groups, those of definitions, and the core group.
      const services = items.filter(isService);
      assert.ok(services.length > 20, `${services.length} APIServices`);
      assert.deepEqual(inJson.filter(isService), services);
      assert.ok(items.some(({ key }) => key === '/registry/ranges/servicenodeports'));
    },
  );

  it('are served in either encoding, and written in the chosen one', limit, async () => {
    const before = await succeed('GET', CONFIG_MAPS);
    const { [0]: first } = before.items;
    const since = versionOf(before);
    const abort = new AbortController();
    const kinds = [];
    let text;
    for (const storageMediaType of [JSON_TYPE, undefined, JSON_TYPE, undefined]) {
      await serve(storageMediaType === undefined ? {} : { storageMediaType });
      const name = `by-${kinds.length}`;
      const untouched = await succeed('GET', `${CONFIG_MAPS}/a`);
      text ??= JSON.stringify({ ...untouched, metadata: { ...untouched.metadata, resourceVersion: '' } });
      assert.equal(JSON.stringify({ ...untouched, metadata: { ...untouched.metadata, resourceVersion: '' } }), text);
      await succeed('POST', CONFIG_MAPS, configMap(name, { name }));
      const written = await succeed('PUT', `${CONFIG_MAPS}/a`, untouched);
      assert.notEqual(
        versionOf(written),
        versionOf(untouched),
        'what changes nothing is written in the other encoding',
      );
      const again = await succeed('PUT', `${CONFIG_MAPS}/a`, written);
      assert.equal(versionOf(again), versionOf(written), 'and then not');
      for (const key of ['a', name]) {
        const value = await valueOf(`configmaps/default/${key}`);
        assert.equal(isProtobuf(value), storageMediaType === undefined, key);
      }
      kinds.push(`ADDED ${name}`, 'MODIFIED a');
      assert.deepEqual(
        (await succeed('GET', CONFIG_MAPS)).items.map(({ metadata }) => metadata.name),
        ['a', ...kinds.filter((kind) => kind.startsWith('ADDED')).map((kind) => kind.slice(6))],
      );
    }
    // All of it once more, out of the store's history, which has both.
    const { events, until, ended } = await client.watch(
      `${CONFIG_MAPS}?watch=1&resourceVersion=${since}`,
      abort.signal,
    );
    await until(() => events.length >= kinds.length);
    abort.abort();
    await ended;
    assert.deepEqual(
      events.map(({ type, object }) => `${type} ${object.metadata.name}`),
      kinds,
    );
    const past = await succeed('GET', `${CONFIG_MAPS}?resourceVersion=${since}&resourceVersionMatch=Exact`);
    assert.deepEqual(past.items, [first]);
  });

  it('are found in a watch that begins before anything else has been read of them', limit, async () => {
    const since = versionOf(await succeed('GET', CONFIG_MAPS));
    await succeed('POST', CONFIG_MAPS, configMap('late', { a: 'b' }));
    await succeed('DELETE', `${CONFIG_MAPS}/late`);
    await serve({ storageMediaType: JSON_TYPE, watchCache: false });
    const abort = new AbortController();
    const { events, until, ended } = await client.watch(
      `${CONFIG_MAPS}?watch=1&resourceVersion=${since}&labelSelector=a%3D1`,
      abort.signal,
    );
    await until(() => events.length >= 2);
    abort.abort();
    await ended;
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.name, object.data]),
      [
        ['ADDED', 'late', { a: 'b' }],
        ['DELETED', 'late', { a: 'b' }],
      ],
    );
  });

  it('of another server are served, without unknown fields', limit, async () => {
    await serve();
    const metadata = { name: 'theirs', namespace: 'default', uid: 'u', creationTimestamp: '2024-01-02T03:04:05Z' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } };
    const value = configMapValue(object);
    const abort = new AbortController();
    const { events, until, ended } = await client.watch(
      `${CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Dtheirs`,
      abort.signal,
    );
    await put('configmaps/default/theirs', value);
    await until(() => events.length >= 1);
    const served = await succeed('GET', `${CONFIG_MAPS}/theirs`);
    assert.deepEqual(served, { ...object, metadata: { ...metadata, resourceVersion: versionOf(served) } });
    assert.deepEqual(events[0], { type: 'ADDED', object: served });
    assert.equal(
      versionOf(await succeed('PUT', `${CONFIG_MAPS}/theirs`, served)),
      versionOf(served),
      'is what we write',
    );

    // Field 99 in the message of the map itself, before the end of the envelope.
    const unknown = configMapValue({ ...object, data: {} });
    const raw = unknown.subarray(unknown.indexOf('ConfigMap') + 'ConfigMap'.length, -4);
    const more = Buffer.concat([raw.subarray(2), Buffer.from([0x9a, 0x06, 1, 0x61])]);
    const head = unknown.subarray(0, unknown.length - 4 - raw.length);
    await put(
      'configmaps/default/theirs',
      Buffer.concat([head, Buffer.from([0x12, more.length]), more, unknown.subarray(-4)]),
    );
    await until(() => events.length >= 2);
    abort.abort();
    await ended;
    assert.equal(events[1].object.data, undefined);
    assert.equal(events[1].object.metadata.uid, 'u');
  });
});
