import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { etcdBinaries, EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { addUser, enableAuthentication } from '../../packages/kv/dist/etcd/requests.testing.js';
import { Client } from './client.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const limit = { timeout: 600_000 };

const configMap = (name) => ({ metadata: { name } });
const namesOf = ({ body }) => body.items.map(({ metadata }) => metadata.name);

/** A server that is not alone in its etcd, and a client of it; both are gone with `stop`. */
async function serve(directory, options) {
  const server = await start({ dataDirectory: directory, controllers: '', ...options });
  const client = new Client(server);
  return {
    client,
    stop: async () => {
      client.close();
      await server.stop();
    },
  };
}

async function withKV(options, use) {
  const kv = await openEtcdKV(options);
  try {
    return await use(kv);
  } finally {
    await kv.close();
  }
}

describe('clusters with prefixes of their own in one etcd', { skip: withoutEtcd() }, () => {
  let etcd;
  let directory;
  const clusters = [];

  before(async () => {
    etcd = await EtcdProcess.start();
    directory = await mkdtemp(join(tmpdir(), 'binnacle-prefix-'));
    for (const etcdPrefix of [undefined, '/team-a', 'team-a/nested']) {
      const prefix = etcdPrefix === undefined ? {} : { etcdPrefix };
      const folder = join(directory, String(clusters.length));
      clusters.push(await serve(folder, { etcdServers: etcd.endpoint, etcdCompactionIntervalMs: 100, ...prefix }));
    }
  }, limit);
  after(async () => {
    for (const cluster of clusters) await cluster.stop();
    await etcd?.stop();
    await rm(directory, { recursive: true });
  });

  it('do not see each other', limit, async () => {
    const abort = new AbortController();
    const watches = [];
    for (const { client } of clusters) watches.push(await client.watch(`${CONFIG_MAPS}?watch=1`, abort.signal));
    const uids = new Set();
    for (const [index, { client }] of clusters.entries()) {
      const { status, body } = await client.send('POST', CONFIG_MAPS, configMap('same'));
      assert.equal(status, 201);
      uids.add(body.metadata.uid);
      assert.equal((await client.send('POST', CONFIG_MAPS, configMap(`own-${index}`))).status, 201);
      const port = { metadata: { name: 'port' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31000 }] } };
      assert.equal((await client.send('POST', SERVICES, port)).status, 201, 'the same port of the nodes of each');
    }
    assert.equal(uids.size, clusters.length);
    for (const [index, { client }] of clusters.entries()) {
      assert.deepEqual(namesOf(await client.send('GET', CONFIG_MAPS)), [`own-${index}`, 'same']);
      const namespace = await client.send('GET', '/api/v1/namespaces/default');
      assert.equal(namespace.status, 200);
      const { events, until } = watches[index];
      await client.send('DELETE', `${CONFIG_MAPS}/same`);
      await until(() => events.some(({ type }) => type === 'DELETED'));
      const seen = events.map(({ type, object }) => `${type} ${object.metadata.name}`);
      assert.deepEqual(seen, ['ADDED same', `ADDED own-${index}`, 'DELETED same']);
    }
    abort.abort();
    await Promise.all(watches.map(({ ended }) => ended));
  });

  it('have all their keys under it, and one agreement on who compacts', limit, async () => {
    const { items } = await withKV({ endpoints: [etcd.endpoint] }, (kv) => kv.range({ prefix: '' }));
    const places = new Set(items.map(({ key }) => key.replace(/^(\/registry|\/team-a\/nested|\/team-a)\/.*$/, '$1')));
    assert.deepEqual([...places].sort(), ['/registry', '/team-a', '/team-a/nested', 'compact_rev_key']);
  });
});

for (const { path, version } of etcdBinaries()) {
  describe(`a user of an etcd ${version} that asks for one`, { skip: withoutEtcd() }, () => {
    let etcd;
    let directory;
    const file = (name) => join(directory, name);
    const options = (etcdPasswordFile) => ({
      etcdServers: etcd.endpoint,
      etcdPrefix: '/ours',
      etcdUsername: 'api',
      etcdPasswordFile,
      etcdCompactionIntervalMs: 200,
    });

    const compactedRevision = async () => {
      const options = { endpoints: [etcd.endpoint], user: 'root', password: 'root' };
      return (await withKV(options, (kv) => kv.status())).compactedRevision;
    };

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'binnacle-user-'));
      await writeFile(file('right'), 'sesame\n');
      await writeFile(file('wrong'), 'simsim\n');
      etcd = await EtcdProcess.start({ binary: path });
      await addUser(etcd.endpoint, 'api', 'sesame', { prefixes: ['/ours/'], keys: ['compact_rev_key'] });
      await enableAuthentication(etcd.endpoint, 'root');
    }, limit);
    after(async () => {
      await etcd?.stop();
      await rm(directory, { recursive: true });
    });

    it('needs no more than its own keys', limit, async () => {
      const { client, stop } = await serve(file('data'), options(file('right')));
      const abort = new AbortController();
      try {
        const watch = await client.watch(`${CONFIG_MAPS}?watch=1`, abort.signal);
        const created = await client.send('POST', CONFIG_MAPS, configMap('a'));
        assert.equal(created.status, 201);
        const event = { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } };
        assert.equal((await client.send('POST', '/api/v1/namespaces/default/events', event)).status, 201, 'a lease');
        assert.deepEqual(namesOf(await client.send('GET', CONFIG_MAPS)), ['a']);
        const revision = Number(created.body.metadata.resourceVersion);
        for (let count = 0; (await compactedRevision()) < revision; count++) {
          assert.equal((await client.send('POST', CONFIG_MAPS, configMap(`more-${count}`))).status, 201);
          await pause(50);
        }
        await watch.until(() => watch.events.length > 0);
        assert.deepEqual(watch.events[0].object.metadata.uid, created.body.metadata.uid);
      } finally {
        abort.abort();
        await stop();
      }
    });

    it('is told when etcd does not know it', limit, async () => {
      await assert.rejects(start({ ...options(file('wrong')), dataDirectory: file('data') }), (error) => {
        assert.match(error.message, /user/);
        return error.code === 'environment';
      });
      await assert.rejects(start({ ...options(file('absent')), dataDirectory: file('data') }), {
        code: 'environment',
        message: `--etcd-password-file ${file('absent')}: no such file or directory`,
      });
    });
  });
}
