import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { CapacityRequestPolicy } from '@binnacle/client/kinds/resource/v1';
import { capacityFor, type ConsumedCapacity, plus } from './capacity.js';
import { alternativesOf } from './requested-devices.js';

const amounts = (texts: Readonly<Record<string, string>>): ConsumedCapacity =>
  new Map(Object.entries(texts).map(([name, text]) => [name, Quantity.parse(text)]));

/** What a request of `asked` takes of 10Gi of memory. */
function taken(asked: string | undefined, requestPolicy?: CapacityRequestPolicy, used = '0'): string | undefined {
  const capacity = { memory: { value: '10Gi', ...(requestPolicy && { requestPolicy }) } };
  const [requested] = alternativesOf({
    name: 'r',
    exactly: { deviceClassName: 'gpu', ...(asked !== undefined && { capacity: { requests: { memory: asked } } }) },
  });
  assert.ok(requested !== undefined);
  const consumed = capacityFor(requested, { name: 'd', capacity }, amounts({ memory: used }));
  return consumed?.get('memory')?.toString();
}

describe('the capacity that a request takes', () => {
  const range = { default: '1Gi', validRange: { min: '2Gi', max: '8Gi', step: '2Gi' } };
  const values = { default: '1Gi', validValues: ['1Gi', '4Gi'] };
  for (const [what, asked, policy, used, expected] of [
    ['all without a request', undefined, undefined, '0', '10Gi'],
    ['the default of the policy', undefined, values, '0', '1Gi'],
    ['what it asks for', '3Gi', undefined, '0', '3Gi'],
    ['at least the minimum of the range', '1500Mi', range, '0', '2Gi'],
    ['whole steps of the range', '3Gi', range, '0', '4Gi'],
    ['an amount in a range without steps', '3Gi', { default: '1Gi', validRange: { min: '1Gi' } }, '0', '3Gi'],
    ['nothing beyond the maximum of the range', '9Gi', range, '0', undefined],
    ['the next valid value', '2Gi', values, '0', '4Gi'],
    ['nothing beyond the valid values', '5Gi', values, '0', undefined],
    ['what others leave', '4Gi', undefined, '6Gi', '4Gi'],
    ['no more than others leave', '5Gi', undefined, '6Gi', undefined],
  ] as const) {
    it(what, () => assert.equal(taken(asked, policy, used), expected));
  }

  it('is of a capacity that the device has', () => {
    const [request] = alternativesOf({
      name: 'r',
      exactly: { deviceClassName: 'gpu', capacity: { requests: { cores: '1' } } },
    });
    assert.equal(
      request && capacityFor(request, { name: 'd', capacity: { memory: { value: '1Gi' } } }, new Map()),
      undefined,
    );
  });
});

it('amounts of two claims add up', () => {
  const sum = plus(amounts({ memory: '1Gi', cores: '2' }), amounts({ memory: '3Gi', links: '1' }));
  assert.deepEqual(Object.fromEntries([...sum].map(([name, amount]) => [name, amount.toString()])), {
    memory: '4Gi',
    cores: '2',
    links: '1',
  });
});
