import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  clientConfigOf,
  connect,
  DiscoveryClient,
  DynamicClient,
  isNotFound,
  parseKubeconfig,
  SharedInformerFactory,
} from '@binnacle/client';
import { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { ConfigMap, Event, Namespace, PersistentVolume } from '@binnacle/client/kinds/core/v1';
import { systemClock } from '@binnacle/apimachinery/clock';
import { eventually } from '@binnacle/client/testing';
import { createGarbageCollector } from '../../packages/controllers/dist/garbagecollector/index.js';
import { start } from 'binnacle';
import { definition } from '../custom-resources/definition.mjs';

const definitions = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const things = { group: 'example.com', version: 'v1', resource: 'things' };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'example.com/c' }] },
};
const spec = { selector: { matchLabels: { app: 'web' } }, template };
const generous = { timeout: 600_000 };

const owns = ({ apiVersion, kind, metadata: { name, uid } }, parts = {}) => ({ apiVersion, kind, name, uid, ...parts });
const blocking = { blockOwnerDeletion: true };

/** The user that it runs as. */
const account = 'system:serviceaccount:kube-system:generic-garbage-collector';
const impersonate = { user: account, groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'] };

/** A collector that runs until it is stopped, against the server that the client knows. */
function collect(transport, reports) {
  const client = new DynamicClient(transport);
  const stop = new AbortController();
  const collector = createGarbageCollector({
    client,
    transport,
    informers: new SharedInformerFactory(client),
    discovery: new DiscoveryClient(transport),
    clock: systemClock,
    isSoleServer: true,
    certificateAuthority: '',
    report: (error) => reports.push(error),
  });
  const ended = collector.run(stop.signal);
  return {
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

describe('garbage collector', { timeout: 300_000 }, () => {
  let server;
  let transport;
  let own;
  let client;
  let space;
  let collector;
  let count = 0;
  const reports = [];

  before(async () => {
    server = await start({ inMemory: true, controllers: '', faultInjection: true });
    const config = await clientConfigOf(parseKubeconfig(server.kubeconfig));
    transport = connect(config);
    own = connect(config, { impersonate, onWarning: () => undefined });
    client = new DynamicClient(transport);
  });
  after(async () => {
    await Promise.all([transport.close(), own.close()]);
    await server.stop();
  });
  beforeEach(async () => {
    reports.length = 0;
    space = `space-${++count}`;
    await client.resource(Namespace).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: space } });
    collector = collect(own, reports);
  });
  afterEach(() => collector.stop());

  const resource = (type) => client.resource(type).namespace(space);
  const create = (type, name, owners = [], parts = {}) =>
    resource(type).create({
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind ?? 'Thing',
      metadata: { name, ownerReferences: owners, ...parts.metadata },
      ...(type === Deployment || type === ReplicaSet ? { spec } : {}),
    });
  const names = async (type) => (await resource(type).list()).items.map(({ metadata }) => metadata.name).sort();
  const become = (type, expected) =>
    eventually(async () => assert.deepEqual(await names(type), expected.toSorted()), generous);
  const family = async () => {
    const web = await create(Deployment, 'web');
    const old = await create(ReplicaSet, 'web-old', [owns(web, blocking)]);
    const now = await create(ReplicaSet, 'web-now', [owns(web, blocking)]);
    await create(ConfigMap, 'old', [owns(old)]);
    await create(ConfigMap, 'now', [owns(now, blocking)]);
    await create(ConfigMap, 'kept', [owns(old), owns(await create(ConfigMap, 'other'))]);
    return web;
  };

  it('in the background: the owner goes first, then the dependents without another owner', async () => {
    await family();
    await resource(Deployment).delete('web', { propagationPolicy: 'Background' });
    assert.deepEqual(await names(Deployment), []);
    await become(ReplicaSet, []);
    await become(ConfigMap, ['kept', 'other']);
    await eventually(async () => {
      const { metadata } = await resource(ConfigMap).get('kept');
      assert.deepEqual(
        metadata.ownerReferences.map(({ name }) => name),
        ['other'],
      );
    });
    assert.deepEqual(reports, []);
  });

  it('in the foreground: the owner goes when its dependents are gone', async () => {
    const events = [];
    await family();
    const stop = new AbortController();
    const watching = Promise.all(
      [Deployment, ReplicaSet, ConfigMap].map(async (type) => {
        const { resourceVersion } = (await resource(type).list({ limit: 1 })).metadata;
        for await (const event of resource(type).watch({ resourceVersion, signal: stop.signal })) {
          if (event.type === 'DELETED') events.push([Number(event.object.metadata.resourceVersion), event.object]);
        }
      }),
    ).catch(() => undefined);
    await resource(Deployment).delete('web', { propagationPolicy: 'Foreground' });
    await become(Deployment, []);
    assert.deepEqual(await names(ReplicaSet), []);
    await become(ConfigMap, ['kept', 'other']);
    await eventually(() => assert.equal(events.length, 5));
    stop.abort();
    await watching;
    const order = events.sort(([one], [other]) => one - other).map(([, { metadata }]) => metadata.name);
    assert.equal(order.at(-1), 'web');
    assert.ok(order.indexOf('now') < order.indexOf('web-now'), order.join());
    assert.deepEqual(reports, []);
  });

  it('orphans stay, without the owner', async () => {
    await family();
    await resource(Deployment).delete('web', { propagationPolicy: 'Orphan' });
    await become(Deployment, []);
    for (const { metadata } of (await resource(ReplicaSet).list()).items) {
      assert.equal(metadata.ownerReferences, undefined, metadata.name);
    }
    assert.deepEqual(await names(ReplicaSet), ['web-now', 'web-old']);
    assert.deepEqual(await names(ConfigMap), ['kept', 'now', 'old', 'other']);
  });

  it('circles: in the foreground they go, in the background they stay', async () => {
    for (const policy of ['Background', 'Foreground']) {
      const first = await create(ConfigMap, 'first');
      const second = await create(ConfigMap, 'second', [owns(first, blocking)]);
      const third = await create(ConfigMap, 'third', [owns(second, blocking)]);
      const patch = { metadata: { ownerReferences: [owns(third, blocking)] } };
      await resource(ConfigMap).patch('first', { type: 'merge', body: patch });
      await resource(ConfigMap).delete('first', { propagationPolicy: policy });
      await become(ConfigMap, []);
    }
    assert.deepEqual(reports, []);
  });

  it('owners that never were: of that uid, in that namespace, of that kind', async () => {
    const owner = await create(ConfigMap, 'owner');
    const volume = await client.resource(PersistentVolume).create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: space, ownerReferences: [owns(owner)] },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    });
    await create(ConfigMap, 'good', [owns(owner)]);
    await create(ConfigMap, 'by-volume', [owns(volume)]);
    await create(ConfigMap, 'unknown-kind', [owns(owner, { kind: 'Gadget', apiVersion: 'example.com/v9' })]);
    await create(ConfigMap, 'stranger', [owns(owner, { uid: 'another' })]);
    await create(ConfigMap, 'misnamed', [owns(owner, { name: 'ownr' })]);
    await create(ConfigMap, 'wrong-kind', [owns(owner, { kind: 'Secret' })]);
    const elsewhere = { ...owns(owner), name: 'owner' };
    const other = `${space}-other`;
    await client.resource(Namespace).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } });
    await client
      .resource(ConfigMap)
      .namespace(other)
      .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'abroad', ownerReferences: [elsewhere] } });
    await become(ConfigMap, ['by-volume', 'good', 'owner', 'unknown-kind']);
    await eventually(async () => {
      await assert.rejects(client.resource(ConfigMap).namespace(other).get('abroad'), isNotFound);
    });
    const events = client.resource(Event).namespace(other);
    await eventually(async () => {
      const [event] = (await events.list({ fieldSelector: 'involvedObject.name=abroad' })).items;
      const { type, reason, message, source } = event ?? {};
      assert.deepEqual(
        [type, reason, source?.component],
        ['Warning', 'OwnerRefInvalidNamespace', 'garbage-collector-controller'],
      );
      const { uid } = owner.metadata;
      const told = `[v1/ConfigMap, namespace: ${other}, name: owner, uid: ${uid}]`;
      assert.equal(message, `ownerRef ${told} does not exist in namespace "${other}"`);
    });
    await resource(ConfigMap).delete('owner');
    await become(ConfigMap, ['by-volume', 'unknown-kind']);
    await client.resource(PersistentVolume).get(space);
    await client.resource(PersistentVolume).delete(space);
  });

  it('custom resources own and are owned, and their definition takes along what they own', async () => {
    await client.resource(definitions).create(definition());
    const one = await eventually(() => create(things, 'one'), generous);
    const two = await create(things, 'two', [owns(one, blocking)]);
    await create(ConfigMap, 'of-two', [owns(two)]);
    await create(ConfigMap, 'other', [owns(await create(things, 'three'))]);
    await resource(things).delete('one', { propagationPolicy: 'Foreground' });
    await become(things, ['three']);
    await become(ConfigMap, ['other']);
    await client.resource(definitions).delete('things.example.com');
    await become(ConfigMap, []);
    await client.resource(definitions).create(definition());
    await create(ConfigMap, 'again', [owns(await eventually(() => create(things, 'again'), generous))]);
    await resource(things).delete('again');
    await become(ConfigMap, []);
    await client.resource(definitions).delete('things.example.com');
  });

  it('hundreds of dependents', async () => {
    const owner = await create(ConfigMap, 'owner');
    const all = Array.from({ length: 500 }, (_, index) => `dependent-${index}`);
    for (let start = 0; start < all.length; start += 100) {
      await Promise.all(all.slice(start, start + 100).map((name) => create(ConfigMap, name, [owns(owner, blocking)])));
    }
    await resource(ConfigMap).delete('owner', { propagationPolicy: 'Foreground' });
    await become(ConfigMap, []);
    assert.deepEqual(reports, []);
  });

  it('nothing that has an owner is deleted, whatever fails, is stale or is restarted', async () => {
    await collector.stop();
    const owners = [];
    for (let index = 0; index < 10; index++) owners.push(await create(ConfigMap, `owner-${index}`));
    const kept = new Set(owners.map(({ metadata }) => metadata.name));
    const expected = (name) => {
      const [, one, other] = /^child-(\d)-(\d)/.exec(name) ?? [];
      return one === undefined || kept.has(`owner-${one}`) || kept.has(`owner-${other}`);
    };
    const wrong = [];
    const stop = new AbortController();
    const watching = (async () => {
      const { resourceVersion } = (await resource(ConfigMap).list({ limit: 1 })).metadata;
      for await (const { type, object } of resource(ConfigMap).watch({ resourceVersion, signal: stop.signal })) {
        if (type === 'DELETED' && expected(object.metadata.name) && !object.metadata.name.startsWith('owner')) {
          wrong.push(object.metadata.name);
        }
      }
    })().catch(() => undefined);
    const configMaps = { resource: 'configmaps', user: account };
    const faults = () => [
      server.faults.add({ match: { ...configMaps, verb: ['get'] }, times: 15, action: { type: 'answer', code: 500 } }),
      server.faults.add({ match: { ...configMaps, verb: ['patch'] }, times: 5, action: { type: 'answer', code: 409 } }),
      server.faults.add({
        match: { ...configMaps, verb: ['delete'] },
        times: 10,
        action: { type: 'answer', code: 503 },
      }),
      server.faults.add({ match: { verb: 'list', user: account }, times: 20, action: { type: 'answer', code: 500 } }),
    ];
    const added = [];
    for (let round = 0; round < 6; round++) {
      collector = collect(own, reports);
      const created = [];
      for (let each = 0; each < 30; each++) {
        const pair = [each % 10, (each * 7 + round) % 10];
        const ownedBy = pair.map((index) => owns(owners[index]));
        const references = pair[0] === pair[1] ? ownedBy.slice(1) : ownedBy;
        created.push(create(ConfigMap, `child-${pair.join('-')}-${round}-${each}`, references));
      }
      await Promise.all(created);
      const hold =
        round % 2 === 0
          ? server.faults.add({ match: { resource: 'configmaps' }, action: { type: 'holdCache' } })
          : undefined;
      const victim = `owner-${round}`;
      kept.delete(victim);
      await resource(ConfigMap).delete(victim, { propagationPolicy: round % 3 === 0 ? 'Foreground' : 'Background' });
      added.push(...faults());
      server.faults.add({ match: configMaps, times: 2, action: { type: 'cutWatch', how: 'expire' } });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await collector.stop();
      collector = collect(own, reports);
      await new Promise((resolve) => setTimeout(resolve, 200));
      hold?.remove();
      await collector.stop();
      assert.deepEqual(wrong, []);
    }
    assert.ok(
      added.some(({ hits }) => hits > 0),
      'the faults were met',
    );
    server.faults.clear();
    const all = await names(ConfigMap);
    collector = collect(own, reports);
    await become(
      ConfigMap,
      all.filter((name) => (name.startsWith('owner') ? kept.has(name) : expected(name))),
    );
    stop.abort();
    await watching;
    assert.deepEqual(wrong, []);
  });
});

it('runs by default, and not when it is not wanted', { timeout: 600_000 }, async () => {
  for (const [controllers, left] of [
    ['*', 0],
    ['-garbagecollector,*', 1],
  ]) {
    const server = await start({ inMemory: true, controllers });
    const transport = connect(await clientConfigOf(parseKubeconfig(server.kubeconfig)));
    const configMaps = new DynamicClient(transport).resource(ConfigMap).namespace('default');
    const make = (name, ownerReferences) =>
      configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences } });
    await make('child', [owns(await make('owner'))]);
    await configMaps.delete('owner');
    if (left === 0) await eventually(async () => assert.rejects(configMaps.get('child'), isNotFound), generous);
    else await configMaps.get('child');
    await transport.close();
    await server.stop();
  }
});
