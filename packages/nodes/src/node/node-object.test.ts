import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  hasOtherStatus,
  hostAddress,
  type KubeletEndpoint,
  nodeObject,
  nodeStatus,
  podRangeOf,
  statusPatch,
} from './index.js';

describe('the object of a simulated node', () => {
  const cases: Record<string, [KubeletEndpoint | undefined, string[], number | undefined]> = {
    'has an address of its own, and its name': [undefined, ['InternalIP 172.16.0.3', 'Hostname node-2'], undefined],
    'says where its kubelet answers': [
      { address: '127.0.0.1', port: 4000 },
      ['InternalIP 172.16.0.3', 'Hostname 127.0.0.1'],
      4000,
    ],
    'has only the address of its kubelet': [
      { address: '10.0.0.1', port: 4000, isOnlyAddress: true },
      ['InternalIP 10.0.0.1', 'Hostname 10.0.0.1'],
      4000,
    ],
  };
  for (const [title, [kubelet, addresses, port]] of Object.entries(cases)) {
    it(title, () => {
      const node = { name: 'node-2', index: 2, kubelet };
      const { status, metadata } = nodeObject(node, 0);
      assert.deepEqual(
        status?.addresses?.map(({ type, address }) => `${type} ${address}`),
        addresses,
      );
      assert.equal(status?.daemonEndpoints?.kubeletEndpoint?.Port, port);
      assert.equal(`InternalIP ${hostAddress(node)}`, addresses[0]);
      assert.equal(metadata.labels?.['binnacle.dev/simulated'], 'true');
    });
  }
});

describe('the object of a node of processes', () => {
  const nodeOf = (isTainted: boolean) => ({
    name: 'process-node-0',
    index: 0,
    processes: { images: ['a:1'], isTainted },
  });

  it('has its label, its images and the system of the machine', () => {
    const { metadata, spec, status } = nodeObject(nodeOf(false), 0);
    assert.equal(metadata.labels?.['binnacle.dev/processes'], 'true');
    assert.equal(metadata.labels?.['binnacle.dev/simulated'], undefined);
    assert.deepEqual(spec, { providerID: 'binnacle://process-node-0' });
    assert.deepEqual(status?.images, [{ names: ['a:1'] }]);
    assert.equal(status?.nodeInfo?.containerRuntimeVersion, 'processes://1.0.0');
    assert.equal(status?.nodeInfo?.architecture, metadata.labels?.['kubernetes.io/arch']);
  });

  it('keeps other pods away beside simulated nodes', () => {
    assert.deepEqual(nodeObject(nodeOf(true), 0).spec?.taints, [
      { key: 'binnacle.dev/processes', value: 'true', effect: 'NoSchedule' },
    ]);
  });

  it('has the addresses of process nodes, whatever range it is given', () => {
    assert.equal(hostAddress(nodeOf(false)), '10.250.0.1');
    assert.equal(podRangeOf(nodeOf(false), '10.0.0.0/24'), '10.250.0.0/24');
    assert.equal(podRangeOf({ name: 'node-0', index: 0 }, '10.0.0.0/24'), '10.0.0.0/24');
  });
});

it('a node reports whether another client has changed its conditions', () => {
  const node = nodeObject({ name: 'node-0', index: 0 }, 0);
  assert.equal(hasOtherStatus(node), false);
  const conditions = node.status?.conditions?.map((each) =>
    each.type === 'Ready' ? { ...each, status: 'Unknown', reason: 'NodeStatusUnknown' } : each,
  );
  assert.equal(hasOtherStatus({ ...node, status: { conditions: conditions ?? [] } }), true);
});

describe('resources that a user adds to a node', () => {
  const local = { name: 'node-0', index: 0 };
  const { status = {} } = nodeObject(local, 0);
  const given = (capacity: object, allocatable: object) => ({
    ...nodeObject(local, 0),
    status: {
      ...status,
      capacity: { ...status.capacity, ...capacity },
      allocatable: { ...status.allocatable, ...allocatable },
    },
  });

  it('become allocatable', () => {
    const node = given({ 'example.com/lamp': '3' }, {});
    assert.equal(hasOtherStatus(node), true);
    const next = nodeStatus(local, 0, node.status);
    assert.equal(next.allocatable?.['example.com/lamp'], '3');
    assert.equal(hasOtherStatus({ ...node, status: next }), false);
  });

  it('are not allocatable when they are gone', () => {
    const node = given({}, { 'example.com/lamp': '3' });
    assert.equal(hasOtherStatus(node), true);
    const body = statusPatch(nodeStatus(local, 0, node.status), node.status);
    assert.deepEqual(body, {
      status: { ...status, allocatable: { ...status.allocatable, 'example.com/lamp': null } },
    });
  });

  it('do not replace what the kubelet knows', () => {
    const node = given({ cpu: '64' }, {});
    assert.equal(hasOtherStatus(node), true);
    assert.deepEqual(nodeStatus(local, 0, node.status).capacity, status.capacity);
  });
});
