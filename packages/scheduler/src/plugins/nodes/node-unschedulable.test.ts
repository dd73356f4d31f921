import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeState, podFacts } from '../../testing/index.js';
import { nodeUnschedulable } from '../index.js';

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
