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

/** Runs with a server, and lets something happen right before the commit of the next write under a prefix. */
async function withInterference(
  run: (send: Send, before: (prefix: string, happens: () => Promise<unknown>) => void) => Promise<void>,
): Promise<void> {
  const kv = openMemoryKV();
  let next: { readonly prefix: string; readonly happens: () => Promise<unknown> } | undefined;
  const interfered: KV = withMethods(kv, {
    txn: async (request, signal) => {
      const due = next !== undefined && request.key.startsWith(next.prefix) ? next : undefined;
      if (due !== undefined) next = undefined;
      await due?.happens();
      return kv.txn(request, signal);
    },
  });
  await withServer(interfered, [namespace], (send) => run(send, (prefix, happens) => (next = { prefix, happens })));
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
  });
}
