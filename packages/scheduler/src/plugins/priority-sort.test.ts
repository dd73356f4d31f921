import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podFacts } from '../testing/index.js';
import { prioritySort } from './index.js';

describe('PrioritySort', () => {
  it('takes the higher priority first, then the longer wait', () => {
    const queued = (name: string, priority: number, since: number) => ({
      facts: podFacts(name, { spec: { priority } }),
      since,
    });
    const pods = [queued('late', 5, 9), queued('low', 1, 0), queued('early', 5, 2), queued('high', 9, 10)];
    const sorted = pods.toSorted((a, b) => prioritySort.compare?.(a, b) ?? 0);
    assert.deepEqual(
      sorted.map(({ facts }) => facts.name),
      ['high', 'early', 'late', 'low'],
    );
  });
});
