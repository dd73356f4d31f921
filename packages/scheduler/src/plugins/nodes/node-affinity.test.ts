import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeSelectorTerm, PodSpec } from '@binnacle/client/kinds/core/v1';
import { answersOf, nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { nodeAffinity } from '../index.js';

const REJECTED = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";
const nodes = [nodeState('n0', { labels: { zone: 'a' } }), nodeState('n1', { labels: { zone: 'b' } })];

const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Partial<PodSpec> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const named = (...values: string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
});
const inZone = (zone: string): NodeSelectorTerm => ({
  matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }],
});

describe('NodeAffinity', () => {
  for (const [what, spec, n0, n1] of [
    ['nothing', {}, 'fits', 'fits'],
    ['a selector', { nodeSelector: { zone: 'b' } }, REJECTED, 'fits'],
    ['a required term', required(inZone('a')), 'fits', REJECTED],
    ['one of two terms', required(inZone('a'), inZone('b')), 'fits', 'fits'],
    ['a name', required(named('n1')), 'left out', 'fits'],
    ['a name or a zone', required(named('n1'), inZone('a')), 'fits', 'fits'],
    [
      'two names at once',
      required({ matchFields: [...(named('n0').matchFields ?? []), ...(named('n1').matchFields ?? [])] }),
      'UnschedulableAndUnresolvable: pod affinity terms conflict',
      'UnschedulableAndUnresolvable: pod affinity terms conflict',
    ],
  ] as const) {
    it(`obeys ${what}`, () => {
      assert.deepEqual(answersOf(nodeAffinity(), podFacts('p', { spec }), nodes), { n0, n1 });
    });
  }

  it('prefers by weight', () => {
    const preferredDuringSchedulingIgnoredDuringExecution = [
      { weight: 20, preference: inZone('a') },
      { weight: 80, preference: inZone('b') },
      { weight: 99, preference: {} },
    ];
    const spec = { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution } } };
    assert.deepEqual(scoresOf(nodeAffinity(), podFacts('p', { spec }), nodes), { n0: 25, n1: 100 });
    assert.equal(scoresOf(nodeAffinity(), podFacts('p'), nodes), undefined);
  });

  it('adds the affinity of its arguments to that of all pods', () => {
    const addedAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [inZone('a')] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: inZone('b') }],
    };
    const n1 = "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity";
    assert.deepEqual(answersOf(nodeAffinity({ addedAffinity }), podFacts('p'), nodes), { n0: 'fits', n1 });
    assert.deepEqual(scoresOf(nodeAffinity({ addedAffinity }), podFacts('p'), nodes), { n0: 0, n1: 100 });
  });
});
