import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nodeState } from '../../testing/index.js';
import { DomainCounts } from './domain-counts.js';

const [one, other] = [
  nodeState('n1', { labels: { zone: 'z1' } }),
  nodeState('n2', { labels: { zone: 'z2' } }),
] as const;

it('a copy of counts changes independently', () => {
  const counts = new DomainCounts();
  counts.add(one, 'zone', 2);
  const copy = counts.copy();
  copy.add(one, 'zone', -2);
  copy.add(other, 'zone', 3);
  const second = copy.copy();
  second.add(other, 'zone', -3);
  assert.deepEqual(
    [counts, copy, second].map((each) => [each.of(one, 'zone'), each.of(other, 'zone'), each.isEmpty]),
    [
      [2, 0, false],
      [0, 3, false],
      [0, 0, true],
    ],
  );
  assert.deepEqual([counts.coversAny(other), copy.coversAny(other), copy.totalOn(other)], [false, true, 3]);
});

it('counts of 0 are empty, but have been used', () => {
  const counts = new DomainCounts();
  assert.deepEqual([counts.hasBeenUsed, counts.isEmpty], [false, true]);
  counts.add(one, 'zone', 0);
  counts.add(one, 'missing', 1);
  assert.deepEqual([counts.hasBeenUsed, counts.isEmpty, counts.coversAny(one)], [true, true, false]);
});
