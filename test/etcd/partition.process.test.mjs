import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startServer } from '@binnacle/apiserver';
import { openEtcdKV } from '@binnacle/kv/etcd';
import { systemClock } from '@binnacle/apimachinery/clock';
import { EtcdProcess, Link, withoutEtcd } from '@binnacle/kv/testing';
import { assemble } from '../../packages/binnacle/dist/embed/assemble.js';
import { defaultParts } from '../../packages/binnacle/dist/embed/start.js';
import { Client } from './client.mjs';

const PATH = '/api/v1/namespaces/default/configmaps';
const configMap = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const WRITE_TIMEOUT_MS = 34_000;
const REQUEST_TIMEOUT_MS = 60_000;
const LATE = {
  write: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
  read: 'Timeout: request did not complete within the allotted timeout',
};

it('a network to etcd that falls silent: requests end with 504, and all goes on afterwards', {
  timeout: 600_000,
  skip: withoutEtcd(),
}, async () => {
  const etcd = await EtcdProcess.start();
  const link = await Link.to(etcd.endpoint);
  const dataDirectory = await mkdtemp(join(tmpdir(), 'binnacle-silent-'));
  let skipped = 0;
  const server = await assemble(
    { etcdServers: link.endpoint, dataDirectory, securePort: 0, controllers: '' },
    {
      ...defaultParts,
      openStore: ({ options }) => openEtcdKV(options),
      startServer: (options) =>
        startServer({
          ...options,
          clock: { ...systemClock, monotonic: () => systemClock.monotonic() + skipped },
          report: () => undefined,
        }),
    },
  );
  const client = new Client(server);
  try {
    assert.equal((await client.send('POST', PATH, configMap('before'))).status, 201);
    const stop = new AbortController();
    const { events, until, ended } = await client.watch(`${PATH}?watch=1`, stop.signal);
    const named = (name) => events.some(({ object }) => object.metadata.name === name);
    await until(() => named('before'));

    link.partition();
    const writes = [
      client.send('POST', PATH, configMap('lost')),
      client.send('PUT', `${PATH}/before`, configMap('before')),
      client.send('DELETE', `${PATH}/before`),
    ];
    const reads = [client.send('GET', `${PATH}/before`), client.send('GET', PATH)];
    skipped = WRITE_TIMEOUT_MS;
    for (const { status, body } of await Promise.all(writes))
      assert.deepEqual([status, body.reason, body.message], [504, 'Timeout', LATE.write]);
    skipped = REQUEST_TIMEOUT_MS;
    for (const { status, body } of await Promise.all(reads))
      assert.deepEqual([status, body.reason, body.message], [504, 'Timeout', LATE.read]);

    link.heal();
    assert.equal((await client.send('POST', PATH, configMap('after'))).status, 201);
    await until(() => named('after'));
    const { body } = await client.send('GET', PATH);
    assert.ok(body.items.some(({ metadata }) => metadata.name === 'after'));
    stop.abort();
    await ended;
  } finally {
    link.heal();
    client.close();
    await server.stop();
    link.close();
    await etcd.stop();
    await rm(dataDirectory, { recursive: true });
  }
});
