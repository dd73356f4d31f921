import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeState, podFacts } from '../../testing/index.js';
import { nodeName, nodeUnschedulable, schedulingGates } from '../index.js';

describe('NodeName', () => {
  for (const [what, wanted, expected] of [
    ['any node', '', { n1: 'fits', n2: 'fits' }],
    [
      'its node',
      'n1',
      { n1: 'fits', n2: "UnschedulableAndUnresolvable: node(s) didn't match the requested node name" },
    ],
  ] as const) {
    it(`permits ${what}`, () => {
      const pod = podFacts('p', { spec: { nodeName: wanted } });
      assert.deepEqual(answersOf(nodeName, pod, [nodeState('n1'), nodeState('n2')]), expected);
    });
  }
});

describe('NodeUnschedulable', () => {
  const key = 'node.kubernetes.io/unschedulable';
  for (const [what, tolerations, answer] of [
    ['rejects a cordoned node', [], 'UnschedulableAndUnresolvable: node(s) were unschedulable'],
    ['permits a cordoned node to a pod that tolerates it', [{ key, operator: 'Exists' }], 'fits'],
  ] as const) {
    it(what, () => {
      const nodes = [nodeState('n1'), nodeState('n2', { unschedulable: true })];
      assert.deepEqual(answersOf(nodeUnschedulable, podFacts('p', { spec: { tolerations } }), nodes), {
        n1: 'fits',
        n2: answer,
      });
    });
  }
});

describe('SchedulingGates', () => {
  it('keeps a pod with gates out of the queue', () => {
    const gated = podFacts('p', { spec: { schedulingGates: [{ name: 'a' }, { name: 'b' }] } });
    assert.equal(schedulingGates.preEnqueue?.(podFacts('q')).code, 'Success');
    assert.deepEqual(schedulingGates.preEnqueue?.(gated), {
      code: 'UnschedulableAndUnresolvable',
      reasons: ['waiting for scheduling gates: [a b]'],
    });
  });
});
