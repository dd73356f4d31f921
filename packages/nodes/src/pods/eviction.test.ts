import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { disrupted, EVICTED, EVICTION_EVENT } from './eviction.js';
import { podOn, START } from './pod-life.testing.js';

describe('an eviction', () => {
  const message = 'The node was low on resource: memory. ';
  const condition = {
    type: 'DisruptionTarget',
    observedGeneration: 1,
    status: 'True',
    lastTransitionTime: '2027-01-04T00:00:00Z',
    reason: 'TerminationByKubelet',
    message,
  };

  it('has the words of the kubelet', () => {
    assert.deepEqual(EVICTED, { phase: 'Failed', reason: 'Evicted', message });
    assert.deepEqual(EVICTION_EVENT, { type: 'Warning', reason: 'Evicted', message });
  });

  it('adds a condition to the pod, or replaces it', () => {
    const ready = { type: 'Ready', status: 'True' };
    const pod = podOn();
    const old = { type: 'DisruptionTarget', status: 'False' };
    const evicted = disrupted({ ...pod, status: { ...pod.status, conditions: [old, ready] } }, START);
    assert.deepEqual(evicted, { ...pod, status: { ...pod.status, conditions: [ready, condition] } });
  });

  it('needs neither a status nor a generation', () => {
    const { status: _, ...pod } = podOn();
    const { observedGeneration: __, ...rest } = condition;
    const evicted = disrupted({ ...pod, metadata: { name: 'p' } }, START);
    assert.deepEqual(evicted.status, { conditions: [rest] });
  });
});
