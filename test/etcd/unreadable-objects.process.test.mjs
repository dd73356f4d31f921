/** Objects in etcd that the server cannot read, and objects that are too large for etcd. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Client } from './client.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/example.com/v1/namespaces/default/things';
const UNSAFE = '?ignoreStoreReadErrorWithClusterBreakingPotential=true';
const limit = { timeout: 600_000 };

describe('objects in etcd', { skip: withoutEtcd() }, () => {
  let etcd;
  let kv;
  let directory;
  let client;
  let stop = () => Promise.resolve();

  const serve = async (featureGates) => {
    await stop();
    const etcdServers = etcd.endpoint;
    const server = await start({ etcdServers, dataDirectory: directory, controllers: '', featureGates });
    const own = new Client(server);
    client = own;
    stop = async () => {
      own.close();
      await server.stop();
    };
  };

  const putGarbage = async (name) => {
    const key = `/registry/configmaps/default/${name}`;
    const { items } = await kv.range({ prefix: key, exact: true });
    const operation = { type: 'put', value: Buffer.from('garbage') };
    await kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation });
  };

  const create = async (name) => {
    const { status, body } = await client.send('POST', CONFIG_MAPS, { metadata: { name } });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };

  const codeOf = async (method, path, body) => (await client.send(method, path, body)).status;
  const seen = ({ events }) => events.map(({ type, object }) => `${type} ${object.metadata.name ?? object.reason}`);

  before(async () => {
    etcd = await EtcdProcess.start({ flags: [`--max-request-bytes=${1.5 * 1024 * 1024}`] });
    kv = await openEtcdKV({ endpoints: [etcd.endpoint] });
    directory = await mkdtemp(join(tmpdir(), 'binnacle-unreadable-'));
  }, limit);
  after(async () => {
    await stop();
    await kv?.close();
    await etcd?.stop();
    await rm(directory, { recursive: true });
  });

  it('that become garbage are named and can be deleted, and a watch goes on beside them', limit, async () => {
    await serve('AllowUnsafeMalformedObjectDeletion=true');
    for (const name of ['a', 'bad']) await create(name);
    const end = new AbortController();
    const { metadata } = (await client.send('GET', CONFIG_MAPS)).body;
    const watch = await client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`, end.signal);
    await putGarbage('bad');
    await create('c');
    await watch.until(() => watch.events.length > 0);

    const { status, body } = await client.send('GET', CONFIG_MAPS);
    assert.deepEqual([status, body.reason], [500, 'StorageReadError']);
    assert.deepEqual(
      body.details.causes.map(({ field }) => field),
      ['/registry/configmaps/default/bad'],
    );
    const one = await client.send('GET', `${CONFIG_MAPS}/bad`);
    assert.match(
      one.body.message,
      /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/configmaps\/default\/bad, /,
    );
    assert.equal(await codeOf('GET', `${CONFIG_MAPS}/a`), 200);
    assert.equal(await codeOf('GET', '/api/v1/namespaces/kube-system/configmaps'), 200);

    assert.equal(await codeOf('DELETE', `${CONFIG_MAPS}/bad`), 500);
    assert.equal(await codeOf('DELETE', `${CONFIG_MAPS}/a${UNSAFE}`), 422);
    assert.equal(await codeOf('DELETE', `${CONFIG_MAPS}/bad${UNSAFE}`), 200);
    assert.equal(await codeOf('GET', CONFIG_MAPS), 200);
    await watch.until(() => watch.events.length > 1);
    assert.deepEqual(seen(watch), ['ADDED c', 'DELETED bad']);
    end.abort();
    await watch.ended;
  });

  it('that are garbage at the start fail only what reads them, and need the feature to be deleted', limit, async () => {
    await putGarbage('bad');
    await serve('');
    const { metadata } = await create('d');
    assert.equal(await codeOf('GET', CONFIG_MAPS), 500);
    assert.equal(await codeOf('GET', '/api/v1/namespaces/kube-system/configmaps'), 200);
    assert.equal(await codeOf('DELETE', `${CONFIG_MAPS}/bad${UNSAFE}`), 500);

    await serve('AllowUnsafeMalformedObjectDeletion=true');
    const end = new AbortController();
    const watch = await client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`, end.signal);
    assert.equal(await codeOf('DELETE', `${CONFIG_MAPS}/bad${UNSAFE}`), 200);
    await watch.ended;
    // A client that had the object before lists again.
    assert.deepEqual(seen(watch), ['ERROR StorageReadError']);
    assert.equal(await codeOf('GET', CONFIG_MAPS), 200);
  });

  it('that are too large are stored without managed fields', limit, async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
    const spec = { group: 'example.com', scope: 'Namespaced', names };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const definition = { metadata: { name: 'things.example.com' }, spec: { ...spec, versions } };
    assert.equal(await codeOf('POST', DEFINITIONS, definition), 201);
    const end = new AbortController();
    const watch = await client.watch(`${DEFINITIONS}?watch=1`, end.signal);
    const isEstablished = ({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True');
    await watch.until(() => watch.events.some(({ object }) => isEstablished(object)));
    end.abort();
    await watch.ended;

    const thing = (name, data) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, data });
    const keys = Array.from({ length: 20_000 }, (_, index) => [`${index}`.padStart(40, 'k'), 1]);
    const created = await client.send('POST', THINGS, thing('many', Object.fromEntries(keys)));
    assert.deepEqual([created.status, 'managedFields' in created.body.metadata], [201, false]);
    assert.equal(Object.keys((await client.send('GET', `${THINGS}/many`)).body.data).length, keys.length);
    const tooLarge = await client.send('POST', THINGS, thing('large', { text: 'x'.repeat(1_700_000) }));
    assert.deepEqual(
      [tooLarge.status, tooLarge.body.message, tooLarge.body.reason],
      [500, 'etcdserver: request is too large', undefined],
    );
  });
});
