import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { withoutTurns } from '@binnacle/apimachinery/turns';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Node, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { FakeObjects } from '@binnacle/client/testing';
import type { LocalNode } from '../node/index.js';
import { MemoryNetwork } from '../testing/index.js';
import { keepTraffic } from './keep-traffic.js';

const metadata = { name: 's', namespace: 'n' };
const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { clusterIP: '10.0.0.7', ports: [{ port: 80 }] },
};
const slice: EndpointSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 's' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.250.0.2'] }],
  ports: [{ name: '', port: 8080 }],
};
const processNode: LocalNode = { name: 'process-node-0', index: 0, processes: { images: [], isTainted: false } };

function start(nodes: readonly LocalNode[], platform: NodeJS.Platform = 'linux') {
  // Times of the machine would decide when ports open.
  const turns = withoutTurns();
  const clock = new VirtualClock(0);
  const objects = new FakeObjects([Node, Service, EndpointSlice]);
  const random = seededRandom(1);
  const informers = new SharedInformerFactory(new DynamicClient(objects.transport), { clock, random });
  const network = new MemoryNetwork();
  const reports: unknown[] = [];
  const { createServer } = network;
  const report = (error: unknown): void => void reports.push(error);
  const connectTo = (): Duplex => duplexPair()[0];
  const nodeObjects = informers.informer(Node);
  const parts = { nodes, nodeObjects, clock, report, createServer, connectTo };
  const traffic = keepTraffic(informers, parts, platform);
  const stopping = new AbortController();
  const running = informers.run(stopping.signal);
  const passes = async (): Promise<readonly number[]> => {
    await settle();
    await clock.advance(100);
    await settle();
    return network.ports;
  };
  const stop = async (): Promise<void> => {
    traffic?.[Symbol.dispose]();
    stopping.abort(new Error('the nodes stop'));
    await running;
    turns[Symbol.dispose]();
    assert.deepEqual(reports, []);
  };
  return { objects, network, traffic, passes, [Symbol.asyncDispose]: stop };
}

describe('traffic', { skip: process.platform !== 'linux' && 'one loopback address' }, () => {
  it('follows services, slices and nodes, and ends with the nodes', async () => {
    await using given = start([processNode]);
    const [health, port] = [1000, 1001];
    given.objects.set(Service, service);
    assert.deepEqual(await given.passes(), [health]);
    given.objects.set(EndpointSlice, slice);
    assert.deepEqual(await given.passes(), [health, port]);
    given.objects.set(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'process-node-0' } });
    assert.deepEqual(await given.passes(), [health, port]);
    given.objects.delete(Service, metadata);
    assert.deepEqual(await given.passes(), [health]);
    given.traffic?.[Symbol.dispose]();
    assert.deepEqual(given.network.ports, []);
  });

  it('is nowhere without process nodes, and on other systems', async () => {
    await using simulated = start([{ name: 'node-0', index: 0 }]);
    await using darwin = start([processNode], 'darwin');
    assert.deepEqual([simulated.traffic, darwin.traffic], [undefined, undefined]);
  });
});
