import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  areOfOneNode,
  isOfProcessNode,
  localNodeAddress,
  localPodAddress,
  localServicePlace,
  processRange,
} from './process-addresses.js';

it('addresses of pods that are processes map to loopback addresses', () => {
  assert.equal(processRange(3), '10.250.3.0/24');
  assert.equal(localPodAddress('10.250.3.7', 'linux'), '127.250.3.7');
  assert.equal(localPodAddress('10.250.3.7', 'darwin'), '127.0.0.1');
  for (const other of ['10.128.3.7', '110.250.3.7', '10.250.3', 'web', '']) {
    assert.equal(localPodAddress(other, 'linux'), undefined);
  }
});

it('addresses of pods and of their node are of one node', () => {
  assert.equal(areOfOneNode('127.250.3.7', localNodeAddress(3)), true);
  assert.equal(areOfOneNode('127.250.3.7', localNodeAddress(33)), false);
  assert.deepEqual(['127.250.3.7', '127.0.0.1'].map(isOfProcessNode), [true, false]);
});

it('cluster IPs map to loopback addresses, and low ports are higher for users who may not have them', () => {
  const linux = { platform: 'linux', uid: 1000 } as const;
  assert.deepEqual(localServicePlace('10.0.3.7', 443, linux), { host: '127.251.3.7', port: 30_443 });
  assert.deepEqual(localServicePlace('10.0.3.7', 443, { ...linux, uid: 0 }), { host: '127.251.3.7', port: 443 });
  assert.deepEqual(localServicePlace('10.0.3.7', 8443, linux), { host: '127.251.3.7', port: 8443 });
  assert.equal(localServicePlace('10.0.3.7', 443, { ...linux, platform: 'darwin' }), undefined);
  for (const other of ['None', 'fd00::1', '']) assert.equal(localServicePlace(other, 443, linux), undefined);
});
