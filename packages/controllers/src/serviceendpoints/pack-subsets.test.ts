import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { packSubsets } from './pack-subsets.js';

const addresses = Array.from({ length: 300 }, (_, index) => ({ ip: `10.9.${index >> 8}.${index & 255}` }));
const ports = Array.from({ length: 400 }, (_, index) => ({ port: index + 1 }));

describe('packSubsets', () => {
  it('takes the addresses of ports that have the same ones once', () => {
    const sizes: number[] = [];
    const subsets = [
      { addresses, ports },
      { addresses: addresses.slice(7), ports },
      { notReadyAddresses: addresses.slice(0, 9), ports },
    ];
    const packed = finish(packSubsets(subsets, (set) => sizes.push(set.size)));
    assert.deepEqual([sizes, packed?.length, packed?.[0]?.ports.length], [[300], 1, 400]);
  });

  it('joins ports of other subsets with the same addresses', () => {
    const half = ports.map((port, index) => ({
      addresses: index % 2 === 0 ? addresses : addresses.toReversed(),
      ports: [port],
    }));
    const packed = finish(packSubsets(half, ({ size }) => size));
    assert.deepEqual(
      packed?.map((each) => [each.ports.length, each.addresses]),
      [[400, 300]],
    );
  });

  it('ends with the first addresses that are not taken', () => {
    let taken = 0;
    const each = ports.map((port, index) => ({ addresses: addresses.slice(index % 100), ports: [port] }));
    assert.equal(finish(packSubsets(each, () => (++taken < 3 ? taken : undefined))), undefined);
    assert.equal(taken, 3);
  });
});
