import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { clientConfigOf, connect, DynamicClient, parseKubeconfig } from '@binnacle/client';
import { ConfigMap, Namespace, Pod } from '@binnacle/client/kinds/core/v1';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import { waitFor, waitForDeletion } from '@binnacle/client/testing';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { definition } from '../custom-resources/definition.mjs';

const definitions = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const things = { group: 'example.com', version: 'v1', resource: 'things' };
/** Long enough for a busy machine. Only a failure takes this long. */
const limit = { timeout: 600_000 };

const held = (name) => ({ metadata: { name, finalizers: ['example.com/hold'] } });
const release = { type: 'merge', body: { metadata: { finalizers: null } } };
const thing = (name) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } });

/** A server, and a client of it. */
async function open(options) {
  const server = await start(options);
  const transport = connect(await clientConfigOf(parseKubeconfig(server.kubeconfig)));
  const client = new DynamicClient(transport);
  const namespaces = client.resource(Namespace);
  const close = async () => {
    await transport.close();
    await server.stop();
  };
  return { client, namespaces, configMaps: (name) => client.resource(ConfigMap).namespace(name), close };
}

const condition = (type) => (namespace) =>
  namespace.status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;

async function define(client, parts) {
  const resource = client.resource(definitions);
  await resource.create(definition(parts));
  const isEstablished = ({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True') ?? false;
  await waitFor(resource, 'things.example.com', isEstablished, limit);
}

describe('namespaces that are deleted', { timeout: 300_000 }, () => {
  let cluster;
  before(async () => {
    cluster = await open({ inMemory: true });
  });
  after(() => cluster.close());

  it('go, many at once, with what is in them, custom kinds too', async () => {
    const { client, namespaces, configMaps } = cluster;
    await define(client);
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}`);
    for (const name of names) {
      await namespaces.create({ metadata: { name } });
      await configMaps(name).create({ metadata: { name: 'chart' } });
      await client.resource(things).namespace(name).create(thing('a'));
    }
    await Promise.all(names.map((name) => namespaces.delete(name)));
    await Promise.all(names.map((name) => waitForDeletion(namespaces, name, limit)));
    assert.deepEqual((await client.resource(things).list()).items, []);
    const maps = (await client.resource(ConfigMap).list()).items;
    assert.deepEqual(
      maps.filter(({ metadata }) => metadata.namespace.startsWith('many-')),
      [],
    );
    await client.resource(definitions).delete('things.example.com');
    await waitForDeletion(client.resource(definitions), 'things.example.com', limit);
  });

  it('leave nothing behind of what is created meanwhile', async () => {
    const { namespaces, configMaps, client } = cluster;
    await namespaces.create({ metadata: { name: 'busy' } });
    const refusals = [];
    const create = async (writer) => {
      for (let count = 0; ; count++) {
        try {
          await configMaps('busy').create({ metadata: { name: `map-${writer}-${count}` } });
        } catch (error) {
          refusals.push(error);
          return;
        }
      }
    };
    const writers = Promise.all(Array.from({ length: 10 }, (_, writer) => create(writer)));
    await waitFor(configMaps('busy'), 'map-9-3', () => true, limit);
    await namespaces.delete('busy');
    await writers;
    await waitForDeletion(namespaces, 'busy', limit);
    for (const error of refusals) assert.match(error.message, /being terminated|namespaces "busy" not found/);
    const { items } = await client.resource(ConfigMap).list();
    assert.deepEqual(
      items.filter(({ metadata }) => metadata.namespace === 'busy'),
      [],
    );
  });

  it('wait for finalizers, and say so', async () => {
    const { namespaces, configMaps } = cluster;
    await namespaces.create({ metadata: { name: 'stuck' } });
    await configMaps('stuck').create(held('anchor'));
    await namespaces.delete('stuck');
    const { status } = await waitFor(namespaces, 'stuck', condition('NamespaceFinalizersRemaining'), limit);
    assert.deepEqual(
      status.conditions.filter((each) => each.status === 'True').map(({ reason, message }) => `${reason}: ${message}`),
      [
        'SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
        'SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
      ],
    );
    await configMaps('stuck').patch('anchor', release);
    await waitForDeletion(namespaces, 'stuck', limit);
  });

  it('keep all else until their pods have ended', async () => {
    const { namespaces, configMaps, client } = cluster;
    await namespaces.create({ metadata: { name: 'crewed' } });
    await configMaps('crewed').create({ metadata: { name: 'chart' } });
    const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'example.com/c' }] };
    await waitFor(
      client.resource({ group: '', version: 'v1', resource: 'serviceaccounts' }).namespace('crewed'),
      'default',
      () => true,
      limit,
    );
    const pods = client.resource(Pod).namespace('crewed');
    await pods.create({ metadata: { name: 'sailor' }, spec });
    await namespaces.delete('crewed');
    const { status } = await waitFor(namespaces, 'crewed', ({ status }) => status.conditions !== undefined, limit);
    assert.equal(status.conditions.find(({ type }) => type === 'NamespaceContentRemaining').reason, 'ContentRemoved');
    assert.equal((await configMaps('crewed').get('chart')).metadata.deletionTimestamp, undefined);
    await pods.delete('sailor', { gracePeriodSeconds: 0 });
    await waitForDeletion(namespaces, 'crewed', limit);
  });

  it('wait for a kind that cannot be read, and for nothing else of it', async () => {
    const { client, namespaces, configMaps } = cluster;
    const unanswered = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert' } },
    };
    await define(client, { versions: [{ name: 'v1' }, { name: 'v2' }], spec: { conversion: unanswered } });
    await namespaces.create({ metadata: { name: 'foreign' } });
    await client.resource(things).namespace('foreign').create(thing('a'));
    await configMaps('foreign').create({ metadata: { name: 'chart' } });
    await namespaces.delete('foreign');
    const { status } = await waitFor(namespaces, 'foreign', condition('NamespaceDeletionContentFailure'), limit);
    const { message } = status.conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure');
    assert.match(message, /^Failed to delete all resource types, 1 remaining: conversion webhook for example\.com/);
    await waitForDeletion(configMaps('foreign'), 'chart', limit);
    const none = { type: 'merge', body: { spec: { conversion: { strategy: 'None', webhook: null } } } };
    await client.resource(definitions).patch('things.example.com', none);
    await waitForDeletion(namespaces, 'foreign', limit);
    await client.resource(definitions).delete('things.example.com');
  });

  it('have a role for who views, that grows with the roles', async () => {
    const roles = cluster.client.resource(ClusterRole);
    const rule = { apiGroups: ['example.com'], resources: ['boats'], verbs: ['get'] };
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    const has = ({ rules }) => rules?.some(({ resources }) => resources?.includes('boats')) ?? false;
    await roles.create({ metadata: { name: 'boats', labels }, rules: [rule] });
    for (const name of ['view', 'edit', 'admin']) await waitFor(roles, name, has, limit);
    await roles.delete('boats');
    for (const name of ['view', 'edit', 'admin']) await waitFor(roles, name, (role) => !has(role), limit);
  });
});

describe('namespaces that are deleted, on other servers', { timeout: 300_000 }, () => {
  it('stay, without control loops', async () => {
    const { namespaces, configMaps, close } = await open({ inMemory: true, controllers: '' });
    await namespaces.create({ metadata: { name: 'still' } });
    await configMaps('still').create({ metadata: { name: 'chart' } });
    await namespaces.delete('still');
    for (let writes = 0; writes < 20; writes++)
      await configMaps('default').create({ metadata: { name: `w-${writes}` } });
    const { status, spec } = await namespaces.get('still');
    assert.deepEqual([status, spec], [{ phase: 'Terminating' }, { finalizers: ['kubernetes'] }]);
    await configMaps('still').get('chart');
    await close();
  });

  it('go on where a server that has ended has left off', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'namespaces-'));
    const first = await open({ dataDirectory });
    await first.namespaces.create({ metadata: { name: 'stuck' } });
    await first.configMaps('stuck').create(held('anchor'));
    await first.namespaces.delete('stuck');
    await waitFor(first.namespaces, 'stuck', condition('NamespaceFinalizersRemaining'), limit);
    await first.close();
    const { namespaces, configMaps, close } = await open({ dataDirectory });
    await configMaps('stuck').patch('anchor', release);
    await waitForDeletion(namespaces, 'stuck', limit);
    await close();
    rmSync(dataDirectory, { recursive: true });
  });

  it('go once, of two servers on one etcd', { skip: withoutEtcd() }, async (t) => {
    const etcd = await EtcdProcess.start();
    t.after(() => etcd[Symbol.asyncDispose]());
    const folder = mkdtempSync(join(tmpdir(), 'namespaces-'));
    const servers = await Promise.all(
      ['a', 'b'].map((name) => open({ etcdServers: etcd.endpoint, dataDirectory: join(folder, name) })),
    );
    const [one, other] = servers;
    for (const name of ['first', 'second']) {
      await one.namespaces.create({ metadata: { name } });
      await other.configMaps(name).create(held('anchor'));
      await other.configMaps(name).create({ metadata: { name: 'chart' } });
    }
    await one.namespaces.delete('first');
    await other.namespaces.delete('second');
    for (const name of ['first', 'second']) {
      await waitFor(one.namespaces, name, condition('NamespaceFinalizersRemaining'), limit);
      await one.configMaps(name).patch('anchor', release);
      await waitForDeletion(other.namespaces, name, limit);
    }
    await Promise.all(servers.map(({ close }) => close()));
    rmSync(folder, { recursive: true });
  });
});
