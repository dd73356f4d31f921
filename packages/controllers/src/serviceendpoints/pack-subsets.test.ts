import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import { packSubsets } from './pack-subsets.js';
import { sortInSteps } from './sort-in-steps.js';

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

it('sortInSteps sorts as `sort` does, and keeps equal items in order', () => {
  const items = Array.from({ length: 9001 }, (_, index) => ({ key: (index * 7919) % 1000, index }));
  const compare = (one: { readonly key: number }, other: { readonly key: number }) => one.key - other.key;
  const work = sortInSteps(items, compare);
  let steps = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) steps++;
  assert.deepEqual(step.value, items.toSorted(compare));
  assert.ok(steps >= 9, `there are ${steps} steps`);
});
