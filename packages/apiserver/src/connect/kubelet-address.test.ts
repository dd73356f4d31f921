import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeStatus } from '@binnacle/api/types/core-v1';
import { kubeletAddress, speaksWebSocket } from './kubelet-address.js';

const addresses = [
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: '10.0.0.2' },
  { type: 'Hostname', address: 'n' },
];
const addressOf = (status: NodeStatus, ...preferredAddressTypes: string[]) =>
  kubeletAddress({ status }, { preferredAddressTypes, port: 10_250 });

describe('kubeletAddress', () => {
  it('is the first address of the most preferred type', () => {
    assert.deepEqual(addressOf({ addresses }, 'ExternalIP', 'Hostname', 'InternalIP'), { host: 'n', port: 10_250 });
    assert.deepEqual(addressOf({ addresses }, 'InternalIP', 'Hostname'), { host: '10.0.0.1', port: 10_250 });
  });

  it('has the port that the node names', () => {
    const named = (Port: number) => ({ addresses, daemonEndpoints: { kubeletEndpoint: { Port } } });
    assert.equal(addressOf(named(4000), 'Hostname').port, 4000);
    assert.equal(addressOf(named(0), 'Hostname').port, 10_250);
  });

  it('lists the addresses of a node that has none of the types', () => {
    const message =
      'no preferred addresses found; known addresses: [{InternalIP 10.0.0.1} {InternalIP 10.0.0.2} {Hostname n}]';
    assert.throws(() => addressOf({ addresses }, 'ExternalIP'), { message, code: 500 });
    assert.throws(() => addressOf({}, 'ExternalIP'), /known addresses: \[\]/);
  });
});

describe('speaksWebSocket', () => {
  it('is true for a node that declares it', () => {
    assert.equal(speaksWebSocket({}), false);
    assert.equal(speaksWebSocket({ status: { declaredFeatures: ['ExtendWebSocketsToKubelet'] } }), true);
  });
});
