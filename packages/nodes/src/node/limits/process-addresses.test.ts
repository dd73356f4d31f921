import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localPodAddress, processRange } from './process-addresses.js';

it('addresses of pods that are processes stand for loopback addresses', () => {
  assert.equal(processRange(3), '10.250.3.0/24');
  assert.equal(localPodAddress('10.250.3.7', 'linux'), '127.250.3.7');
  assert.equal(localPodAddress('10.250.3.7', 'darwin'), '127.0.0.1');
  for (const other of ['10.128.3.7', '110.250.3.7', '10.250.3', 'web', '']) {
    assert.equal(localPodAddress(other, 'linux'), undefined);
  }
});
