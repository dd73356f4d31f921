import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '../generated/types/core-v1.js';
import { podAffinityTerms, preferredTerm } from './affinity-terms.js';

describe('the affinity terms of a pod', () => {
  it('include required and preferred terms, of affinity and anti-affinity', () => {
    const term = (topologyKey: string) => ({ topologyKey });
    const spec: PodSpec = {
      containers: [],
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [term('a')],
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term('b') }],
        },
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('c')] },
      },
    };
    assert.deepEqual(
      podAffinityTerms(spec).map(({ topologyKey }) => topologyKey),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(podAffinityTerms(undefined), []);
  });

  it('are empty for terms that decoding dropped', () => {
    assert.deepEqual(preferredTerm({ weight: 1 }), { topologyKey: '' });
  });
});
