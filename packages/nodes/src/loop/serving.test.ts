import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { ScriptedTransport } from '@binnacle/client/testing';
import { MemoryNetwork } from '../testing/index.js';
import { BY_NODE, nodeNamesOf } from './node-memory.js';
import { localNodes, metricsSource, podSource, startKubelets, withKubelets } from './serving.js';

const KUBELET = { address: '127.0.0.1', isOnlyAddress: true };

function informers() {
  const factory = new SharedInformerFactory(new DynamicClient(new ScriptedTransport(() => new Error('no server'))));
  const pods = factory.informer(Pod, { indexes: { [BY_NODE]: nodeNamesOf } });
  const nodeObjects = factory.informer(Node);
  for (const [name, nodeName] of Object.entries({ a: 'node-0', b: 'node-1', c: 'remote', d: undefined })) {
    const spec = { containers: [], ...(nodeName === undefined ? {} : { nodeName }) };
    pods.indexer.set({ apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'n', name }, spec });
  }
  for (const name of ['node-0', 'remote'])
    nodeObjects.indexer.set({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  return { pods, nodeObjects };
}

const namesOf = (objects: readonly (Pod | Node)[]): string[] => objects.map(({ metadata }) => metadata.name ?? '');

describe('what simulated nodes serve', () => {
  it('is nothing unless an address is given', async () => {
    const transport = new ScriptedTransport(() => new Error('no server'));
    const options = { clock: new VirtualClock(0), report: () => assert.fail() };
    const { pods } = informers();
    assert.equal(await startKubelets(options, { names: ['node-0'], pods, transport }), undefined);
    assert.deepEqual(transport.requests, []);
  });

  it('waits for the cluster to say which clients it trusts', async () => {
    const clock = new VirtualClock(0);
    const reports: string[] = [];
    const transport = new ScriptedTransport(() => new Error('refused'));
    const options = {
      kubelet: KUBELET,
      clock,
      report: (error: unknown, where: string) => void reports.push(`${where}: ${String(error)}`),
    };
    const { pods } = informers();
    // No port is opened for no nodes.
    const kubelets = await startKubelets(options, { names: [], pods, transport });
    await settle();
    await clock.advance(2000);
    assert.deepEqual(reports, Array(3).fill('kubelets: Error: refused'));
    assert.equal(kubelets?.portOf('node-0'), undefined);
    await kubelets?.close();
    await clock.advance(2000);
    assert.equal(transport.requests.length, 3);
  });

  it('is nothing where the address cannot be listened on', async () => {
    const network = new MemoryNetwork();
    network.problem = new Error('listen EADDRNOTAVAIL');
    const { createServer } = network;
    const transport = new ScriptedTransport(() => ({ object: { data: {} } }));
    const reports: string[] = [];
    const report = (error: unknown, where: string): void => void reports.push(`${where}: ${String(error)}`);
    const options = { kubelet: KUBELET, clock: new VirtualClock(0), report };
    const parts = { names: ['node-0'], pods: informers().pods, transport, createServer };
    assert.equal(await startKubelets(options, parts), undefined);
    assert.deepEqual(reports, ['kubelets: Error: listen EADDRNOTAVAIL']);
  });

  it('are only pods of these nodes', () => {
    const { pods, nodeObjects } = informers();
    const source = podSource(['node-0', 'node-1'], pods);
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'none'].map((name) => source.find('n', name)?.metadata.name),
      ['a', 'b', undefined, undefined, undefined],
    );
    assert.equal(source.find('other', 'a'), undefined);
    assert.deepEqual(namesOf(source.ofNode('node-1')), ['b']);
    const nodes = withKubelets(localNodes(2, undefined, undefined), {}, undefined);
    const metrics = metricsSource(nodes, { pods, nodeObjects });
    assert.deepEqual([namesOf(metrics.nodes()), namesOf(metrics.pods())], [['node-0'], ['a', 'b']]);
  });

  it('is at the ports of the kubelets', () => {
    const ports = new Map([['node-0', 4000]]);
    const kubelets = { portOf: (name: string) => ports.get(name), close: () => Promise.resolve() };
    const nodes = localNodes(2, undefined, undefined);
    const [first, second] = withKubelets(nodes, { kubelet: KUBELET }, kubelets).values();
    assert.deepEqual(first, { name: 'node-0', index: 0, kubelet: { ...KUBELET, port: 4000 } });
    assert.deepEqual(second, { name: 'node-1', index: 1, kubelet: undefined });
    const closed = { name: 'node-0', index: 0, kubelet: undefined };
    assert.deepEqual(withKubelets(nodes, { kubelet: KUBELET }, undefined).get('node-0'), closed);
    assert.deepEqual(withKubelets(nodes, {}, kubelets).get('node-0'), closed);
  });

  it('has process nodes only where processes can run, and taints them beside simulated nodes', () => {
    const images = ['docker.io/library/web:latest'];
    assert.deepEqual(localNodes(0, { count: 1 }, undefined), []);
    assert.deepEqual(localNodes(0, { count: 1 }, { images }), [
      { name: 'process-node-0', index: 0, processes: { images, isTainted: false } },
    ]);
    const [simulated, real] = localNodes(1, { count: 1 }, { images });
    assert.deepEqual([simulated?.processes, real?.processes?.isTainted], [undefined, true]);
  });
});
