import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Toleration } from '@binnacle/api/types/core-v1';
import { areListed, mergeTolerations } from './toleration-set.js';

const all: Toleration = { operator: 'Exists' };
const key: Toleration = { key: 'a', operator: 'Exists' };
const value: Toleration = { key: 'a', operator: 'Equal', value: 'x', effect: 'NoSchedule' };
const bare: Toleration = { key: 'a', value: 'x', effect: 'NoSchedule' };
const evict = (tolerationSeconds?: number): Toleration => ({
  key: 'a',
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

// Upstream's tables are in `pkg/util/tolerations/tolerations_test.go`.
describe('mergeTolerations', () => {
  for (const [name, first, second, merged] of [
    [
      'keeps different ones in order',
      [value],
      [{ key: 'b', operator: 'Exists' }],
      [value, { key: 'b', operator: 'Exists' }],
    ],
    ['drops duplicates', [value, value], [value], [value]],
    ['keeps the first place of a duplicate', [value, evict()], [value], [value, evict()]],
    ['keeps the larger of two, first or second', [value, key], [all], [all]],
    ['prefers the first position of the larger', [key], [value], [key]],
    ['an empty effect includes all', [evict()], [key], [key]],
    ['keeps the longer eviction', [evict(5)], [evict(9)], [evict(9)]],
    ['without a time, an eviction is the longest', [evict()], [evict(9)], [evict()]],
    ['an empty operator includes one that says Equal', [value], [bare], [bare]],
    [
      'one that says Equal does not include an empty operator',
      [bare],
      [{ ...value, value: 'y' }],
      [bare, { ...value, value: 'y' }],
    ],
    ['is empty for nothing', [], [], []],
  ] as const) {
    it(name, () => assert.deepEqual(mergeTolerations(first, second), merged));
  }

  it('merges 20,000 tolerations at once', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }));
    assert.equal(mergeTolerations(many, many).length, 20_000);
  });
});

describe('areListed', () => {
  for (const [tolerations, list, expected] of [
    [[value], [], true],
    [[], [key], true],
    [[value], [key], true],
    [[key], [value], false],
    [[value, evict(5)], [value, evict(9)], true],
    [[evict()], [evict(9)], false],
    [
      [{ ...bare, effect: 'NoExecute', tolerationSeconds: 5 }],
      [{ ...bare, effect: 'NoExecute', tolerationSeconds: 9 }],
      false,
    ],
    [[bare], [{ ...bare, value: 'y' }, bare], true],
    [[evict(9)], [evict(9)], true],
    [[value], [{ ...value, value: 'y' }], false],
    [[{ key: 'b', operator: 'Exists' }], [all], true],
  ] as const) {
    it(`${JSON.stringify(tolerations)} in ${JSON.stringify(list)}: ${expected}`, () => {
      assert.equal(areListed(tolerations, list), expected);
    });
  }
});
