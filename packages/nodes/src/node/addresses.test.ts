import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MOST_NODES } from './limits/index.js';
import { freeAddress, nodeAddress, podRange } from './addresses.js';

describe('addresses', () => {
  it('differ between all nodes', () => {
    const all = Array.from({ length: MOST_NODES }, (_, index) => index);
    assert.equal(new Set(all.map(nodeAddress)).size, MOST_NODES);
    assert.equal(new Set(all.map(podRange)).size, MOST_NODES);
    assert.deepEqual([nodeAddress(0), nodeAddress(MOST_NODES - 1)], ['172.16.0.1', '172.16.19.136']);
    assert.deepEqual([podRange(0), podRange(MOST_NODES - 1)], ['10.128.0.0/24', '10.147.135.0/24']);
  });

  const cases: [string, string, string[], string | undefined][] = [
    ['the first after the bridge', '10.0.0.0/24', [], '10.0.0.2'],
    ['the first that is free', '10.0.0.0/24', ['10.0.0.2', '10.0.0.4'], '10.0.0.3'],
    ['none of a full range', '10.0.0.0/30', ['10.0.0.2'], undefined],
    ['one of a wide range', '10.0.0.0/8', ['10.0.0.2'], '10.0.0.3'],
    ['none of a single address', '10.0.0.0/32', [], undefined],
    ['none of IPv6', 'fd00::/64', [], undefined],
    ['none of nonsense', 'nonsense', [], undefined],
  ];
  for (const [name, range, taken, expected] of cases) {
    it(`are ${name}`, () => assert.equal(freeAddress(range, new Set(taken)), expected));
  }
});
