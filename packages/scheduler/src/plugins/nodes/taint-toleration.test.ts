import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { taintToleration } from '../index.js';

const REJECTED = 'UnschedulableAndUnresolvable: node(s) had untolerated taint(s)';

describe('TaintToleration', () => {
  for (const [effect, tolerations, answer] of [
    ['NoSchedule', [], REJECTED],
    ['NoExecute', [], REJECTED],
    ['PreferNoSchedule', [], 'fits'],
    ['NoSchedule', [{ key: 'k', value: 'v' }], 'fits'],
    ['NoSchedule', [{ key: 'k', value: 'w' }], REJECTED],
    ['NoSchedule', [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }], REJECTED],
    ['NoExecute', [{ operator: 'Exists' }], 'fits'],
  ] as const) {
    it(`answers ${answer} for ${effect} with ${JSON.stringify(tolerations)}`, () => {
      const node = nodeState('n', { taints: [{ key: 'k', value: 'v', effect }] });
      assert.deepEqual(answersOf(taintToleration, podFacts('p', { spec: { tolerations } }), [node]), { n: answer });
    });
  }

  it('prefers nodes with fewer taints of PreferNoSchedule', () => {
    const avoid = (key: string) => ({ key, effect: 'PreferNoSchedule' }) as const;
    const nodes = [
      nodeState('n0'),
      nodeState('n1', { taints: [avoid('a')] }),
      nodeState('n2', { taints: [avoid('a'), avoid('b')] }),
    ];
    assert.deepEqual(scoresOf(taintToleration, podFacts('p'), nodes), { n0: 100, n1: 50, n2: 0 });
    const tolerant = podFacts('p', { spec: { tolerations: [{ operator: 'Exists' }] } });
    assert.deepEqual(scoresOf(taintToleration, tolerant, nodes), { n0: 100, n1: 100, n2: 100 });
  });
});
