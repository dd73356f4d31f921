import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { Egress } from '../egress/index.js';
import { withServer } from './server.testing.js';

const inNamespace = (kind: string, name: string, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'n' },
  ...more,
});
const node = (name: string, address?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: {
    addresses: [{ type: 'Other', address: 'o' }, ...(address === undefined ? [] : [{ type: 'InternalIP', address }])],
  },
});
const ports = [{ name: 'web', port: 8080 }];
const pod = { ip: '10.1.2.3', targetRef: { kind: 'Pod', name: 'served', namespace: 'n' } };
const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
  inNamespace('ServiceAccount', 'default'),
  inNamespace('Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 81 }] }] } }),
  inNamespace('Pod', 'served', { spec: { containers: [{ name: 'c', image: 'i' }] } }),
  ...['s', 'e', 'none'].map((name) => inNamespace('Service', name, { spec: { ports: [{ name: 'web', port: 80 }] } })),
  inNamespace('Endpoints', 's', { subsets: [{ addresses: [pod], ports }] }),
  inNamespace('Endpoints', 'stale', { subsets: [{ addresses: [{ ...pod, ip: '10.1.2.9' }], ports }] }),
  inNamespace('Endpoints', 'o', { subsets: [{ addresses: [{ ip: '10.1.2.4' }], ports }] }),
  inNamespace('Endpoints', 'e'),
  inNamespace('Pod', 'bare', { spec: { containers: [{ name: 'c', image: 'i' }] } }),
  node('m', 'fd00::1'),
  node('loop', '127.0.0.1'),
  node('bare'),
];

/** The egress rules of the test deny every address, so that nothing waits for a network. */
const unreachable = (host: string): string =>
  `error trying to reach service: dial tcp ${host}: the server may not connect to this network`;
const answers: readonly (readonly [path: string, status: number, message: string])[] = [
  ['namespaces/n/services/s:web/proxy/x/y', 503, unreachable('10.1.2.3')],
  ['namespaces/n/services/stale:web/proxy/', 503, 'no endpoints available for service "stale:web"'],
  ['namespaces/n/services/https:s:80/proxy/', 503, unreachable('10.1.2.3')],
  ['namespaces/n/services/s/proxy', 503, 'no endpoints available for service "s"'],
  ['namespaces/n/services/s:99/proxy', 503, 'no service port 99 found for service "s"'],
  ['namespaces/n/services/o:web/proxy', 503, 'no endpoints available for service "o:web"'],
  ['namespaces/n/services/e:web/proxy', 503, 'no endpoints available for service "e"'],
  ['namespaces/n/services/none/proxy', 404, 'services "none" not found'],
  ['namespaces/n/services/ftp:s:web/proxy', 400, 'invalid service request "ftp:s:web"'],
  ['namespaces/n/pods/p/proxy', 400, 'address not allowed'],
  ['namespaces/n/pods/bare/proxy/', 503, unreachable('fd00::2')],
  ['namespaces/n/pods/q:80/proxy', 404, 'pods "q" not found'],
  ['namespaces/n/pods/:p/proxy', 400, 'invalid pod request ":p"'],
  ['nodes/m/proxy/', 503, unreachable('fd00::1')],
  ['nodes/https:m:9/proxy/', 503, unreachable('fd00::1')],
  ['nodes/loop/proxy/', 503, unreachable('127.0.0.1')],
  ['nodes/loop:9/proxy/', 400, 'address not allowed'],
  ['nodes/m:x/proxy/', 400, 'invalid node request "m:x"'],
  ['nodes/bare/proxy', 500, 'no preferred addresses found; known addresses: [{Other o}]'],
  ['nodes/other/proxy', 404, 'nodes "other" not found'],
];

test('a proxy reports the address that it cannot reach, or why it has none', () =>
  withServer(
    openMemoryKV(),
    objects,
    async (send) => {
      const addresses = { podIP: 'fd00::2', podIPs: [{ ip: 'fd00::2' }] };
      await send('PATCH', '/api/v1/namespaces/n/pods/bare/status', { status: addresses });
      const ofService = { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }] };
      await send('PATCH', '/api/v1/namespaces/n/pods/served/status', { status: ofService });
      for (const [path, status, message] of answers) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const answered = await send(method, `/api/v1/${path}`);
          assert.deepEqual([answered.status, answered.message], [status, message], `${method} ${path}`);
        }
      }
    },
    { egress: new Egress(['0.0.0.0/0', '::/0']) },
  ));
