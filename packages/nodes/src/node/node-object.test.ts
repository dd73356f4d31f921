import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostAddress, type KubeletEndpoint, nodeObject } from './index.js';

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
