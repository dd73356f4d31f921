import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { EtcdProcess, withoutEtcd } from '@binnacle/kv/testing';
import { start } from 'binnacle';
import { Client } from './client.mjs';

const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
/** Generous, for machines that are busy. */
const patience = { timeout: 600_000 };

it('of the servers of one etcd, one runs the control loops, and another when it ends', {
  timeout: 600_000,
  skip: withoutEtcd(),
}, async () => {
  const etcd = await EtcdProcess.start();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-leader-'));
  const open = [];
  const serve = async (name) => {
    const server = await start({ etcdServers: etcd.endpoint, dataDirectory: join(directory, name) });
    const client = new Client(server);
    const stop = async () => {
      client.close();
      await server.stop();
    };
    open.push(stop);
    const found = (path) =>
      eventually(async () => {
        const { status, body } = await client.send('GET', path);
        assert.equal(status, 200);
        return body;
      }, patience);
    return { client, found, stop };
  };
  try {
    const first = await serve('first');
    await first.found('/api/v1/namespaces/default/serviceaccounts/default');
    const { holderIdentity } = (await first.found(LEASE)).spec;
    const second = await serve('second');
    await second.client.send('POST', '/api/v1/namespaces', { metadata: { name: 'between' } });
    await second.found('/api/v1/namespaces/between/serviceaccounts/default');
    assert.equal((await second.found(LEASE)).spec.holderIdentity, holderIdentity);

    await first.stop();
    await second.client.send('POST', '/api/v1/namespaces', { metadata: { name: 'after' } });
    await second.found('/api/v1/namespaces/after/serviceaccounts/default');
    const { spec } = await second.found(LEASE);
    assert.notEqual(spec.holderIdentity, holderIdentity);
    assert.equal(spec.leaseTransitions, 1);
  } finally {
    for (const stop of open) await stop();
    await etcd[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
});
