/** A stop on a network: what new requests get, and when watches end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@binnacle/client/testing';
import { start } from 'binnacle';
import { Client } from '../etcd/client.mjs';

const limit = { timeout: 600_000 };
const GRACE_MS = 6000;
const WATCHES = '/api/v1/namespaces/default/configmaps?watch=1';

async function stopped(options, use) {
  const server = await start({ inMemory: true, controllers: '', scheduler: false, ...options });
  const client = new Client(server);
  const signal = new AbortController();
  const ends = [];
  try {
    for (let count = 0; count < 3; count++) {
      const { ended } = await client.watch(WATCHES, signal.signal);
      ends.push(ended.then(() => performance.now()));
    }
    const begin = performance.now();
    const stopping = server.stop();
    await use(client, stopping);
    await stopping;
    return (await Promise.all(ends)).map((end) => end - begin);
  } finally {
    signal.abort();
    client.close();
    await server.stop();
  }
}

describe('a stop', () => {
  it('ends all watches at once, and closes the port', limit, async () => {
    await stopped({}, async (client, stopping) => {
      await stopping;
      await assert.rejects(client.plain('/api/v1/namespaces'));
    });
  });

  it('refuses new requests with 429 while watches end one after another', limit, async () => {
    const options = { shutdownSendRetryAfter: true, shutdownWatchTerminationGracePeriodMs: GRACE_MS };
    const ends = await stopped(options, async (client) => {
      const { headers, text } = await eventually(async () => {
        const answer = await client.plain('/api/v1/namespaces');
        assert.equal(answer.status, 429);
        return answer;
      });
      assert.equal(headers['retry-after'], '5');
      assert.equal(headers['connection'], 'close');
      assert.equal(text, 'The apiserver is shutting down, please try again later.\n');
      assert.equal((await client.plain('/livez')).status, 200);
    });
    const last = Math.max(...ends);
    assert.ok(last >= GRACE_MS / 2, `the last watch ended after ${last} ms`);
  });
});
