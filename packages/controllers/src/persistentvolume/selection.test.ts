import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import { claim, storageClass, volume } from './persistentvolume.testing.js';
import { selectVolumes, takersOf } from './selection.js';

const gold = { spec: { selector: { matchLabels: { tier: 'gold' } } } };
const golden = volume('a', { metadata: { labels: { tier: 'gold' } } });

function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}

describe('takersOf', () => {
  const late = storageClass('slow', { volumeBindingMode: 'WaitForFirstConsumer' });
  for (const [what, given, of, ofClass, expected] of [
    ['a claim that fits', claim('c'), volume('a'), undefined, 1],
    ['a claim of another size', claim('c'), volume('a', { spec: { capacity: { storage: '1Mi' } } }), undefined, 0],
    ['a claim that selects it', claim('c', gold), golden, undefined, 1],
    ['a claim that selects others', claim('c', gold), volume('a'), undefined, 0],
    ['a claim that waits for a consumer', claim('c'), volume('a'), late, 0],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(finish(takersOf(of, [given], () => ofClass)).length, expected));
  }
});

describe('the choice of volumes', () => {
  const matchExpressions = Array.from({ length: 10_000 }, (_, index) => ({
    key: `k${index}`,
    operator: 'DoesNotExist',
  }));
  const greedy = claim('c', { spec: { selector: { matchExpressions } } });

  it('pauses for a selector of 10,000 expressions', () => {
    const volumes = Array.from({ length: 10 }, (_, index) => volume(`v${index}`));
    assert.equal(countSteps(selectVolumes(greedy, volumes)), 5);
  });

  it('pauses for many claims', () => {
    const claims = Array.from({ length: 5000 }, (_, index) => claim(`c${index}`));
    assert.equal(countSteps(takersOf(volume('a'), claims, () => undefined)), 5);
  });
});
