import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import { loadConfig } from '@binnacle/client/kubeconfig';
import { exchange } from '@binnacle/client/rest';
import { connect } from '@binnacle/client/transport';
import { start } from 'binnacle';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const object = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

it('a server on disk is forked, and the fork outlives it', { timeout: 600_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-fork-'));
  const transports = [];
  const clientOf = ({ clientConfig }) => {
    const transport = connect(clientConfig);
    transports.push(transport);
    return new DynamicClient(transport).resource(configMaps).namespace('default');
  };
  const namesOf = async (client) => (await client.list()).items.map(({ metadata }) => metadata.name).join(' ');
  const options = { dataDirectory: join(folder, 'data'), securePort: 0, controllers: '', scheduler: false };
  try {
    const parent = await start(options);
    const ofParent = clientOf(parent);
    const made = await ofParent.create(object('a'));
    const fork = await parent.fork();
    const ofFork = clientOf(fork);
    assert.deepEqual(await ofFork.get('a'), made);
    assert.notEqual(fork.clientConfig.token, parent.clientConfig.token);
    await ofFork.create(object('of-the-fork'));
    await ofParent.delete('a');
    await ofParent.create(object('of-the-parent'));
    assert.deepEqual([await namesOf(ofFork), await namesOf(ofParent)], ['a of-the-fork', 'of-the-parent']);
    await parent.stop();
    await assert.rejects(start(options), /is used by|in use by/, 'the fork still reads the store');
    assert.equal(await namesOf(ofFork), 'a of-the-fork');
    await fork.stop();
    const again = await start(options);
    assert.equal(await namesOf(clientOf(again)), 'of-the-parent');
    await again.stop();
  } finally {
    await Promise.all(transports.map((transport) => transport.close()));
    await rm(folder, { recursive: true, force: true });
  }
});

it('a client forks a server at a point of its history, and the fork ends with the server', {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-fork-'));
  const file = join(folder, 'kubeconfig');
  const parent = await start({ inMemory: true, controllers: '', scheduler: false });
  const transport = connect(parent.clientConfig);
  const send = (method, path, document) => {
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    return exchange(transport, { method, path, ...body });
  };
  const parents = new DynamicClient(transport).resource(configMaps).namespace('default');
  const made = await parents.create(object('a'));
  await send('POST', '/binnacle/v1/snapshots', { name: 'before' });
  await parents.delete('a');
  const { metadata } = await parents.create(object('b'));
  for (const at of ['before', made.metadata.resourceVersion]) {
    const { name, url, kubeconfig } = await send('POST', '/binnacle/v1/forks', { at });
    await writeFile(file, kubeconfig);
    const config = await loadConfig({ path: file });
    assert.equal(config.server, url);
    const ofFork = connect(config);
    const client = new DynamicClient(ofFork).resource(configMaps).namespace('default');
    assert.deepEqual(await client.get('a'), made, `at ${at}`);
    await client.delete('a');
    const items = (await client.list()).items.map((item) => item.metadata.name);
    assert.deepEqual(items, []);
    await ofFork.close();
    const { items: running } = await send('GET', '/binnacle/v1/forks');
    assert.equal(running.at(-1).name, name);
  }
  await send('DELETE', '/binnacle/v1/forks/fork-1');
  const { url } = await send('GET', '/binnacle/v1/forks/fork-2');
  assert.equal((await parents.get('b')).metadata.uid, metadata.uid);
  const jane = connect(parent.clientConfig, { impersonate: { user: 'jane', groups: ['system:authenticated'] } });
  const refused = exchange(jane, { method: 'GET', path: '/binnacle/v1/forks' });
  await assert.rejects(refused, /User "jane" cannot get path "\/binnacle\/v1\/forks"/);
  await Promise.all([jane.close(), transport.close()]);
  await parent.stop();
  await assert.rejects(fetch(url), 'the fork has ended');
  await rm(folder, { recursive: true });
});
