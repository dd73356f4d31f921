import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { dataDirectoryOf, readEtcdArguments, serveEtcd } from './etcd.js';

describe('the included etcd', () => {
  it('reads what envtest tells it', () => {
    const told = ['--data-dir=/d', '--listen-client-urls=http://[::1]:23', '--listen-peer-urls=http://localhost:0'];
    assert.deepEqual(readEtcdArguments(told), { dataDirectory: '/d', host: '::1', port: 23 });
    assert.deepEqual(readEtcdArguments([]), { dataDirectory: 'default.etcd', host: 'localhost', port: 2379 });
    for (const url of ['https://127.0.0.1:1', 'nonsense', '']) {
      assert.throws(() => readEtcdArguments([`--listen-client-urls=${url}`]), /give a URL such as http:/);
    }
  });

  it('is healthy, serves no keys, and says where it keeps its data', async () => {
    const server = await serveEtcd({ dataDirectory: '/d', host: '127.0.0.1', port: 0 });
    const { port } = server.address() as AddressInfo;
    const at = `http://127.0.0.1:${port}`;
    try {
      assert.deepEqual(await (await fetch(`${at}/health`)).json(), { health: 'true', reason: '' });
      assert.equal((await fetch(`${at}/v3/kv/range`, { method: 'POST' })).status, 404);
      assert.equal(await dataDirectoryOf(at, systemClock), '/d');
      assert.equal(await dataDirectoryOf(`${at}/other/`, systemClock), '/d');
    } finally {
      server.closeAllConnections();
      server.close();
    }
    assert.equal(await dataDirectoryOf(at, systemClock), undefined);
  });
});
