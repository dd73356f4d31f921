import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { DynamicClient } from '@binnacle/client/dynamic';
import { FakeStore, ScriptedTransport } from '@binnacle/client/testing';
import { clusterNetwork } from './cluster-network.js';

const { signal } = new AbortController();

const CORE = '/api/v1/namespaces/shop';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices';

function object(
  kind: string,
  name: string,
  rest: Readonly<Record<string, unknown>>,
  apiVersion = 'v1',
): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace: 'shop' }, ...rest };
}

function network(namespace = 'shop', asked: string[] = []) {
  const store = new FakeStore();
  const add = (path: string, added: KubernetesObject) =>
    store.answer({ method: 'POST', path, body: JSON.stringify(added) });
  const services = `${CORE}/services`;
  add(services, object('Service', 'web', { spec: { clusterIP: '10.0.0.7', ports: [{ name: 'http', port: 80 }] } }));
  add(services, object('Service', 'db', { spec: { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] } }));
  add(services, object('Service', 'far', { spec: { type: 'ExternalName', externalName: 'example.com' } }));
  add(`${CORE}/pods`, object('Pod', 'p', { spec: { containers: [{ name: 'c', image: 'img:1' }] } }));
  const endpoints = [
    { addresses: ['10.128.0.9'], conditions: { ready: false } },
    { addresses: ['10.128.0.2'], hostname: 'db-0', targetRef: { kind: 'Pod', name: 'p' } },
  ];
  const ports = [{ name: 'http', port: 8080 }];
  const slice = object('EndpointSlice', 's', { addressType: 'IPv4', endpoints, ports }, 'discovery.k8s.io/v1');
  const list = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSliceList', items: [slice] };
  const transport = new ScriptedTransport((request) => {
    if (!request.path.startsWith(SLICES)) return store.answer(request);
    asked.push(request.path);
    const metadata = request.path.includes('continue=') ? {} : { continue: 'more' };
    return { status: 200, object: { ...list, metadata } };
  });
  return clusterNetwork(new DynamicClient(transport), namespace);
}

describe('the network of a simulated pod', () => {
  it('knows the services of the cluster', async () => {
    const addresses = async (name: string, namespace?: string) =>
      (await network(namespace).lookUp(name, signal))?.addresses;
    assert.deepEqual(await addresses('web'), ['10.0.0.7']);
    assert.deepEqual(await addresses('web.shop', 'other'), ['10.0.0.7']);
    assert.deepEqual(await addresses('far'), ['example.com']);
    const both = ['10.128.0.2', '10.128.0.2'];
    assert.deepEqual(await addresses('db'), both);
    assert.deepEqual(await addresses('db-0.db.shop'), both);
    for (const unknown of ['gone', 'web.other', 'db-1.db.shop', 'p.web.shop', '..']) {
      assert.equal(await addresses(unknown), undefined);
    }
  });

  it('has the answers of ready pods', async () => {
    const answer = (name: string, port: number) => network().get(name, port, '/a', signal);
    const text = 'is simulated: Binnacle runs no program of img:1';
    assert.equal(await answer('web', 80), `GET /a\nPod shop/p, port 8080, ${text}\n`);
    assert.equal(await answer('db', 99), `GET /a\nPod shop/p, port 99, ${text}\n`);
    for (const [name, port] of [
      ['web', 81],
      ['gone', 80],
      ['far', 80],
    ] as const) {
      assert.equal(await answer(name, port), undefined);
    }
  });

  it('reads few slices at once, and no more than it needs', async () => {
    const asked: string[] = [];
    const known = network('shop', asked);
    await known.lookUp('db', signal);
    assert.equal(asked.length, 2);
    await known.get('db', 99, '/', signal);
    assert.equal(asked.length, 3);
    assert.ok(
      asked.every((path) => path.includes('limit=4')),
      asked.join(' '),
    );
  });
});
