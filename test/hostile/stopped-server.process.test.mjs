import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../etcd/client.mjs';
import { ServerProcess } from '../model/servers/server.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const EVENTS = '/api/v1/namespaces/default/events';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const EVENT_TTL_SECONDS = 5;
const STOPPED_MS = 2000;

const configMap = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const event = (name) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: { namespace: 'default' },
  type: 'Normal',
});

it('a suspended server that continues: watches, requests in progress, leases and events', {
  timeout: 600_000,
  skip: process.platform === 'win32' && 'no such signals',
}, async () => {
  const serveArguments = [`--event-ttl=${EVENT_TTL_SECONDS}s`];
  const server = new ServerProcess({ build: 'command', store: 'embedded', serveArguments });
  let client;
  try {
    await server.start();
    const { url, token } = server.access();
    client = new Client({ url, clientConfig: { token } });
    const stop = new AbortController();
    const { events, until, ended } = await client.watch(`${CONFIG_MAPS}?watch=1`, stop.signal);
    const lease = { metadata: { name: 'held' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 1 } };
    const held = (await client.send('POST', LEASES, lease)).body;
    const created = performance.now();
    assert.equal((await client.send('POST', EVENTS, event('kept'))).status, 201);

    server.pause();
    const underWay = Array.from({ length: 20 }, (_, index) => client.send('POST', CONFIG_MAPS, configMap(`c${index}`)));
    await delay(STOPPED_MS);
    server.resume();
    for (const { status } of await Promise.all(underWay)) assert.equal(status, 201);
    await until(() => events.length === underWay.length);
    assert.equal(new Set(events.map(({ object }) => object.metadata.name)).size, underWay.length, 'each once');
    const renewed = await client.send('PUT', `${LEASES}/held`, held);
    assert.equal(renewed.status, 200, 'its resourceVersion is the one from before');

    for (let status = 200; status === 200; await delay(50)) {
      ({ status } = await client.send('GET', `${EVENTS}/kept`));
      const age = performance.now() - created;
      assert.ok(status === 200 || age >= EVENT_TTL_SECONDS * 1000 - 50, `deleted after ${age} ms`);
    }
    stop.abort();
    await ended;
  } finally {
    client?.close();
    await server.dispose();
  }
});
