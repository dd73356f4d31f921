import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { dataDirectoryOf, serveEtcd } from './etcd.js';

describe('the included etcd', () => {
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
