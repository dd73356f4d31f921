import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodAffinityTerm, PodSpec } from '@binnacle/client/kinds/core/v1';
import { answersOf, nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { interPodAffinity } from '../index.js';

const NO_COMPANY = "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
const REPELLED = "Unschedulable: node(s) didn't match pod anti-affinity rules";
const REPELLING = "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";

const about = (app: string, traits: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  labelSelector: { matchLabels: { app } },
  topologyKey: 'zone',
  ...traits,
});
const near = (...terms: PodAffinityTerm[]): Partial<PodSpec> => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const apart = (...terms: PodAffinityTerm[]): Partial<PodSpec> => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
});
const web = (spec: Partial<PodSpec> = {}, namespace = 'default') =>
  podFacts('web', { labels: { app: 'web' }, spec, namespace });

const nodesWith = (pod: ReturnType<typeof web>) => [
  nodeState('n0', { labels: { zone: 'a' }, pods: [pod] }),
  nodeState('n1', { labels: { zone: 'a' } }),
  nodeState('n2', { labels: { zone: 'b' } }),
  nodeState('bare'),
];

describe('InterPodAffinity', () => {
  for (const [what, spec, other, expected] of [
    ['company', near(about('web')), web(), ['fits', 'fits', NO_COMPANY, NO_COMPANY]],
    ['company of none', near(about('db')), web(), [NO_COMPANY, NO_COMPANY, NO_COMPANY, NO_COMPANY]],
    ['company of itself as the first', near(about('api')), web(), ['fits', 'fits', 'fits', NO_COMPANY]],
    [
      'company in another namespace',
      near(about('web')),
      web({}, 'other'),
      [NO_COMPANY, NO_COMPANY, NO_COMPANY, NO_COMPANY],
    ],
    [
      'a named namespace',
      near(about('web', { namespaces: ['other'] })),
      web({}, 'other'),
      ['fits', 'fits', NO_COMPANY, NO_COMPANY],
    ],
    [
      'a selected namespace',
      near(about('web', { namespaceSelector: { matchLabels: { team: 'x' } } })),
      web({}, 'other'),
      ['fits', 'fits', NO_COMPANY, NO_COMPANY],
    ],
    ['distance', apart(about('web')), web(), [REPELLED, REPELLED, 'fits', 'fits']],
    ['the distance that others keep', {}, web(apart(about('api'))), [REPELLING, REPELLING, 'fits', 'fits']],
  ] as const) {
    it(`keeps ${what}`, () => {
      const pod = podFacts('p', { labels: { app: 'api' }, spec });
      const answers = answersOf(interPodAffinity(), pod, nodesWith(other), { namespaces: { other: { team: 'x' } } });
      assert.deepEqual(Object.values(answers), expected);
    });
  }

  for (const [what, pod, other, expected] of [
    ['wants company', preferring('podAffinity'), web(), { n0: 100, n1: 100, n2: 0, bare: 0 }],
    ['wants distance', preferring('podAntiAffinity'), web(), { n0: 0, n1: 0, n2: 100, bare: 100 }],
    [
      'is wanted',
      podFacts('p', { labels: { app: 'api' } }),
      web(near(about('api'))),
      { n0: 100, n1: 100, n2: 0, bare: 0 },
    ],
    ['is alone', podFacts('p'), web(), undefined],
  ] as const) {
    it(`scores nodes for a pod that ${what}`, () => {
      assert.deepEqual(scoresOf(interPodAffinity(), pod, nodesWith(other)), expected);
    });
  }

  it('gives required terms of others the weight of its arguments', () => {
    const nodes = nodesWith(web(near(about('api'))));
    const pod = podFacts('p', { labels: { app: 'api' } });
    assert.equal(scoresOf(interPodAffinity({ hardPodAffinityWeight: 0 }), pod, nodes), undefined);
  });

  it('ignores the preferences of others if its arguments say so', () => {
    const args = { ignorePreferredTermsOfExistingPods: true };
    const nodes = nodesWith(podFacts('other', { ...wanting, labels: { app: 'web' } }));
    const pod = podFacts('p', { labels: { app: 'web' } });
    assert.deepEqual(scoresOf(interPodAffinity(), pod, nodes), { n0: 100, n1: 100, n2: 0, bare: 0 });
    assert.equal(scoresOf(interPodAffinity(args), pod, nodes), undefined);
  });
});

const wanting = {
  spec: {
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: about('web') }],
      },
    },
  },
};

function preferring(kind: 'podAffinity' | 'podAntiAffinity') {
  const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 10, podAffinityTerm: about('web') }];
  return podFacts('p', { spec: { affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution } } } });
}
