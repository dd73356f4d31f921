import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { withMethods } from '../testing/index.js';
import { type Send, withServer } from './server.testing.js';

// What is created beside the deletion of its namespace must not outlive it: another server deletes the namespace after this one
// has admitted the object, which is before its commit.

const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
const NAMESPACE = '/api/v1/namespaces/n';
const MAPS = `${NAMESPACE}/configmaps`;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/n/leases';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: {} };

/** Lets something happen right before the commits of the next writes under a prefix, of one unless told otherwise. */
type Before = (prefix: string, happens: () => Promise<unknown>, times?: number) => void;

async function withInterference(run: (send: Send, before: Before) => Promise<void>): Promise<void> {
  const kv = openMemoryKV();
  let next = { prefix: '', happens: (): Promise<unknown> => Promise.resolve(), times: 0 };
  const interfered: KV = withMethods(kv, {
    txn: async (request, signal) => {
      if (next.times > 0 && request.key.startsWith(next.prefix)) {
        next.times--;
        await next.happens();
      }
      return kv.txn(request, signal);
    },
  });
  await withServer(interfered, [namespace], (send) =>
    run(send, (prefix, happens, times = 1) => (next = { prefix, happens, times })),
  );
}

const ways: readonly [string, string, (send: Send) => ReturnType<Send>, string][] = [
  ['a create', '/registry/configmaps/', (send) => send('POST', MAPS, map), `${MAPS}/a`],
  ['an update that creates', '/registry/leases/', (send) => send('PUT', `${LEASES}/a`, lease), `${LEASES}/a`],
];

for (const [name, prefix, write, path] of ways) {
  describe(`${name} beside the deletion of its namespace`, () => {
    it('is refused as it is after it, and stores nothing', async () => {
      await withInterference(async (send, before) => {
        before(prefix, () => send('DELETE', NAMESPACE));
        const { status, message } = await write(send);
        assert.equal(status, 403);
        assert.match(message, /unable to create new content in namespace n because it is being terminated/);
        assert.equal((await send('GET', path)).status, 404);
      });
    });

    it('is stored when the namespace has only changed', async () => {
      await withInterference(async (send, before) => {
        before(prefix, () => send('PATCH', NAMESPACE, { metadata: { labels: { a: 'b' } } }));
        assert.equal((await write(send)).status, 201);
      });
    });

    it('is a conflict when the namespace changes during ten attempts', async () => {
      await withInterference(async (send, before) => {
        let changes = 0;
        const change = () => send('PATCH', NAMESPACE, { metadata: { labels: { changes: `${++changes}` } } });
        before(prefix, change, Infinity);
        const { status, message } = await write(send);
        assert.deepEqual([status, changes], [409, 10]);
        assert.match(
          message,
          /^Operation cannot be fulfilled on .*"a": its namespace or its definition keeps changing/,
        );
        assert.equal((await send('GET', path)).status, 404);
      });
    });
  });
}
