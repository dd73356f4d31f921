import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Client } from './client.mjs';

const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
/** Generous, for machines that are busy. A server tells the others every ten seconds. */
const patience = { timeout: 600_000 };

it('the servers of one etcd keep the endpoints of the Service kubernetes together', {
  timeout: 600_000,
  skip: withoutEtcd(),
}, async () => {
  const etcd = await EtcdProcess.start();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-addresses-'));
  const open = [];
  const serve = async (name, advertiseAddress) => {
    const shared = { etcdServers: etcd.endpoint, controllers: '', dataDirectory: join(directory, name) };
    const server = await start({ ...shared, advertiseAddress });
    const client = new Client(server);
    const stop = async () => {
      client.close();
      await server.stop();
    };
    open.push(stop);
    const has = (addresses) =>
      eventually(async () => {
        const [endpoints, slice] = await Promise.all([ENDPOINTS, SLICE].map((path) => client.send('GET', path)));
        assert.deepEqual(
          endpoints.body.subsets[0].addresses.map(({ ip }) => ip),
          addresses,
        );
        assert.deepEqual(
          slice.body.endpoints.flatMap((each) => each.addresses),
          addresses,
        );
      }, patience);
    return { has, stop };
  };
  try {
    const first = await serve('first', '192.0.2.1');
    await first.has(['192.0.2.1']);
    const second = await serve('second', '192.0.2.2');
    await first.has(['192.0.2.1', '192.0.2.2']);
    await first.stop();
    await second.has(['192.0.2.2']);
  } finally {
    for (const stop of open.reverse()) await stop();
    await etcd[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
});
