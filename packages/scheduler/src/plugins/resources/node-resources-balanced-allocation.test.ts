import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { nodeResourcesBalancedAllocation } from '../index.js';

const used = (requests: Record<string, string>) => [podFacts('used', { requests })];

describe('NodeResourcesBalancedAllocation', () => {
  it('prefers nodes that the pod makes more even', () => {
    const nodes = [
      nodeState('muchCpu', { pods: used({ cpu: '1' }) }),
      nodeState('muchMemory', { pods: used({ memory: '2Gi' }) }),
      nodeState('empty'),
    ];
    const pod = podFacts('p', { requests: { memory: '2Gi' } });
    assert.deepEqual(scoresOf(nodeResourcesBalancedAllocation(), pod, nodes), {
      muchCpu: 87,
      muchMemory: 62,
      empty: 62,
    });
    assert.equal(scoresOf(nodeResourcesBalancedAllocation(), podFacts('p'), nodes), undefined);
  });

  it('compares the resources of its arguments', () => {
    const plugin = nodeResourcesBalancedAllocation({ resources: ['cpu', 'example.com/gpu'] });
    const nodes = [nodeState('n', { allocatable: { 'example.com/gpu': '2' } })];
    assert.equal(scoresOf(plugin, podFacts('p', { requests: { memory: '1Gi' } }), nodes), undefined);
    assert.deepEqual(scoresOf(plugin, podFacts('p', { requests: { 'example.com/gpu': '1' } }), nodes), { n: 62 });
    assert.deepEqual(scoresOf(plugin, podFacts('p', { requests: { cpu: '1' } }), nodes), { n: 75 });
  });
});
