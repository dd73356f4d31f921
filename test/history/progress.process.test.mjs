import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutEtcd } from '@binnacle/kv/testing';
import { hasReliableProgress } from '../../packages/kv/dist/etcd/watch/versions.js';
import { ServedStore, stores } from './stores.mjs';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const limit = { timeout: 600_000 };

/** The newest state of a resource in which nothing happens, while others change. */
async function readQuiet(store) {
  const served = await ServedStore.open(store);
  try {
    await served.start({});
    // The cache is built, and its feed has been told what the member can do.
    for (let settled = false; !settled; settled = served.progress.at(-1) === hasReliableProgress(store.version)) {
      await served.client.send('POST', CONFIG_MAPS, { metadata: { generateName: 'first-' } });
      assert.equal((await served.client.send('GET', SECRETS)).status, 200);
    }
    served.reads = [];
    served.progress = [];
    for (let count = 0; count < 20; count++) {
      const { body } = await served.client.send('POST', CONFIG_MAPS, { metadata: { name: `busy-${count}` } });
      const list = await served.client.send('GET', SECRETS);
      assert.equal(list.status, 200);
      assert.ok(Number(list.body.metadata.resourceVersion) >= Number(body.metadata.resourceVersion));
    }
    const reads = served.reads.filter((prefix) => prefix.startsWith('/registry/secrets/')).length;
    return { reads, answers: new Set(served.progress) };
  } finally {
    await served.close();
  }
}

describe('the newest state of a quiet resource', { skip: withoutEtcd() }, () => {
  for (const store of stores.filter(({ isEtcd }) => isEtcd)) {
    const asks = hasReliableProgress(store.version);
    it(`${asks ? 'is known to the cache by progress from' : 'is read from'} ${store.name}`, limit, async () => {
      const { reads, answers } = await readQuiet(store);
      assert.equal(reads, asks ? 0 : 20);
      assert.deepEqual(answers, new Set([asks]));
    });
  }
});
