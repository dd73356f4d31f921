import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Client } from './client.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const limit = { timeout: 600_000 };

const configMap = (name, data = {}) => ({ metadata: { name, labels: { name } }, data });

/** Reads, changes, writes, and retries after a lost race. Returns the number of retries. */
async function increment(client, path) {
  for (let lost = 0; ; lost++) {
    const { body } = await client.send('GET', path);
    body.data.count = String(Number(body.data.count) + 1);
    const { status } = await client.send('PUT', path, body);
    if (status === 200) return lost;
    assert.equal(status, 409);
  }
}

describe('three servers on one etcd', { skip: withoutEtcd() }, () => {
  let etcd;
  let directory;
  let servers = [];
  let clients = [];

  before(async () => {
    etcd = await EtcdProcess.start();
    directory = await mkdtemp(join(tmpdir(), 'binnacle-three-'));
    // All bootstrap the same empty store at once.
    servers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        start({
          etcdServers: etcd.endpoint,
          dataDirectory: join(directory, name),
          serviceClusterIPRange: '10.96.0.0/26',
          controllers: '',
        }),
      ),
    );
    clients = servers.map((server) => new Client(server));
  }, limit);

  after(async () => {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.stop()));
    await etcd?.[Symbol.asyncDispose]();
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  it('bootstrap one cluster', limit, async () => {
    for (const path of ['/api/v1/namespaces', '/apis/rbac.authorization.k8s.io/v1/clusterroles', '/api/v1/services']) {
      const lists = await Promise.all(clients.map((client) => client.send('GET', path)));
      const [first, ...others] = lists.map(({ body }) => body.items.map(({ metadata }) => metadata.uid));
      assert.ok(first.length > 0);
      for (const other of others) assert.deepEqual(other, first, path);
    }
  });

  it('read at once what any of them has acknowledged', limit, async () => {
    for (let index = 0; index < 30; index++) {
      const [writer, ...readers] = [0, 1, 2].map((offset) => clients[(index + offset) % 3]);
      const name = `read-${index}`;
      const created = await writer.send('POST', CONFIG_MAPS, configMap(name));
      assert.equal(created.status, 201);
      const { resourceVersion } = created.body.metadata;
      await Promise.all(
        readers.map(async (reader) => {
          const one = await reader.send('GET', `${CONFIG_MAPS}/${name}`);
          assert.equal(one.body.metadata.resourceVersion, resourceVersion);
          const selected = await reader.send('GET', `${CONFIG_MAPS}?labelSelector=name%3D${name}`);
          assert.equal(selected.body.items.length, 1);
          const least = await reader.send('GET', `${CONFIG_MAPS}?resourceVersion=${resourceVersion}`);
          assert.ok(least.body.items.some((item) => item.metadata.name === name));
          const page = await reader.send('GET', `${CONFIG_MAPS}?limit=2`);
          assert.ok(Number(page.body.metadata.resourceVersion) >= Number(resourceVersion));
        }),
      );
      assert.equal((await readers[0].send('DELETE', `${CONFIG_MAPS}/${name}`)).status, 200);
      assert.equal((await writer.send('GET', `${CONFIG_MAPS}/${name}`)).status, 404);
      assert.equal((await readers[1].send('GET', `${CONFIG_MAPS}?labelSelector=name%3D${name}`)).body.items.length, 0);
    }
  });

  it('tell all watchers the same events in the same order', limit, async () => {
    const abort = new AbortController();
    const watches = await Promise.all(
      clients.map(async (client) => {
        const { body } = await client.send('GET', CONFIG_MAPS);
        return client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`, abort.signal);
      }),
    );
    const streamed = await clients[2].watch(`${CONFIG_MAPS}?watch=1`, abort.signal);
    const known = new Map();
    await Promise.all(
      clients.map(async (client, writer) => {
        for (let index = 0; index < 20; index++) {
          const { body } = await client.send('POST', CONFIG_MAPS, configMap(`watch-${writer}-${index}`));
          known.set(body.metadata.resourceVersion, body.metadata.name);
        }
      }),
    );
    const expected = [...known].sort(([a], [b]) => a - b).map(([revision, name]) => `ADDED ${name} ${revision}`);
    for (const { events, until } of [...watches, streamed]) {
      const seen = () =>
        events
          .filter(({ object }) => object.metadata.name.startsWith('watch-'))
          .map(({ type, object }) => `${type} ${object.metadata.name} ${object.metadata.resourceVersion}`);
      await until(() => seen().length >= expected.length);
      assert.deepEqual(seen(), expected);
    }
    abort.abort();
    await Promise.all(watches.map(({ ended }) => ended));
  });

  it('lose no increment of many at once', limit, async () => {
    await clients[0].send('POST', CONFIG_MAPS, configMap('counter', { count: '0' }));
    const rounds = clients.flatMap((client) =>
      Array.from({ length: 20 }, () => increment(client, `${CONFIG_MAPS}/counter`)),
    );
    const lost = (await Promise.all(rounds)).reduce((sum, count) => sum + count, 0);
    assert.ok(lost > 0, 'no race happened');
    for (const client of clients) {
      assert.equal((await client.send('GET', `${CONFIG_MAPS}/counter`)).body.data.count, '60');
    }
  });

  it('never hand out an address twice', limit, async () => {
    const services = '/api/v1/namespaces/default/services';
    const create = (client, name) =>
      client.send('POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }], type: 'NodePort' } });
    const create45 = (round) =>
      Promise.all(Array.from({ length: 45 }, (_, index) => create(clients[index % 3], `s-${round}-${index}`)));
    for (const round of ['one', 'two']) {
      const answers = await create45(round);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
      const addresses = answers.map(({ body }) => body.spec.clusterIP);
      const ports = answers.map(({ body }) => body.spec.ports[0].nodePort);
      assert.equal(new Set(addresses).size, 45);
      assert.equal(new Set(ports).size, 45);
      const gone = answers.map(({ body }, index) =>
        clients[(index + 1) % 3].send('DELETE', `${services}/${body.metadata.name}`),
      );
      for (const { status } of await Promise.all(gone)) assert.equal(status, 200);
    }
  });

  it('serve on, and go on watching, when etcd has been away', limit, async () => {
    const abort = new AbortController();
    const { body } = await clients[0].send('GET', CONFIG_MAPS);
    const position = body.metadata.resourceVersion;
    await etcd.end('SIGKILL');
    await etcd.resume();
    let created;
    for (let tries = 0; created?.status !== 201; tries++) {
      assert.ok(tries < 100, 'no write came through');
      created = await clients[0].send('POST', CONFIG_MAPS, configMap(`after-${tries}`));
    }
    for (const client of clients) {
      const watch = await client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${position}`, abort.signal);
      await watch.until(() => watch.events.some(({ object }) => object.metadata.uid === created.body.metadata.uid));
      const list = await client.send('GET', CONFIG_MAPS);
      assert.ok(list.body.items.some(({ metadata }) => metadata.uid === created.body.metadata.uid));
    }
    abort.abort();
  });
});
