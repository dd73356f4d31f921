import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TopologySpreadConstraint } from '@binnacle/client/kinds/core/v1';
import { answersOf, nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { podTopologySpread } from '../index.js';

const REJECTED = "Unschedulable: node(s) didn't match pod topology spread constraints";
const labels = { app: 'w' };
const matching = (...names: string[]) => names.map((name) => podFacts(name, { labels }));

const constraint = (traits: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: labels },
  ...traits,
});
const podWith = (traits: Partial<TopologySpreadConstraint> = {}) =>
  podFacts('p', { labels, spec: { topologySpreadConstraints: [constraint(traits)] } });

const zones = (...pods: readonly (readonly string[])[]) =>
  pods.map((names, index) => nodeState(`n${index}`, { labels: { zone: `z${index}` }, pods: matching(...names) }));

describe('PodTopologySpread', () => {
  for (const [what, pod, nodes, expected] of [
    ['fills the emptiest zone', podWith(), zones(['a'], [], ['b']), { n0: REJECTED, n1: 'fits', n2: REJECTED }],
    ['permits a greater skew', podWith({ maxSkew: 2 }), zones(['a'], []), { n0: 'fits', n1: 'fits' }],
    ['counts missing zones as empty', podWith({ minDomains: 3 }), zones(['a'], ['b']), { n0: REJECTED, n1: REJECTED }],
    [
      'does not count other pods',
      podWith({ labelSelector: { matchLabels: { app: 'x' } } }),
      zones(['a'], []),
      { n0: 'fits', n1: 'fits' },
    ],
    [
      'needs the label',
      podWith({ topologyKey: 'rack' }),
      zones([]),
      {
        n0: "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing required label)",
      },
    ],
    [
      'needs a label of the node itself',
      podWith({ topologyKey: 'constructor' }),
      zones([]),
      {
        n0: "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing required label)",
      },
    ],
    [
      'leaves preferences to scores',
      podWith({ whenUnsatisfiable: 'ScheduleAnyway' }),
      zones(['a'], []),
      { n0: 'fits', n1: 'fits' },
    ],
  ] as const) {
    it(what, () => assert.deepEqual(answersOf(podTopologySpread(), pod, nodes), expected));
  }

  it('honors taints where the constraint says so', () => {
    const taints = [{ key: 'k', effect: 'NoSchedule' }] as const;
    const nodes = [
      nodeState('n0', { labels: { zone: 'z0' }, pods: matching('a') }),
      nodeState('n1', { labels: { zone: 'z1' }, taints }),
    ];
    assert.equal(answersOf(podTopologySpread(), podWith(), nodes)['n0'], REJECTED);
    assert.equal(answersOf(podTopologySpread(), podWith({ nodeTaintsPolicy: 'Honor' }), nodes)['n0'], 'fits');
  });

  it('counts only pods with the same value of matchLabelKeys', () => {
    const old = podFacts('old', { labels: { ...labels, hash: '1' } });
    const nodes = [
      nodeState('n0', { labels: { zone: 'z0' }, pods: [old] }),
      nodeState('n1', { labels: { zone: 'z1' } }),
    ];
    const spec = { topologySpreadConstraints: [constraint({ matchLabelKeys: ['hash'] })] };
    const pod = podFacts('p', { labels: { ...labels, hash: '2' }, spec });
    assert.deepEqual(answersOf(podTopologySpread(), pod, nodes), { n0: 'fits', n1: 'fits' });
  });

  it('prefers zones with fewer pods', () => {
    const scores = scoresOf(
      podTopologySpread(),
      podWith({ whenUnsatisfiable: 'ScheduleAnyway' }),
      zones(['a', 'b'], ['c'], []),
    );
    assert.deepEqual(scores, { n0: 0, n1: 33, n2: 100 });
  });

  it('spreads the pods of a service over nodes and zones by default', () => {
    const nodes = [nodeState('n0', { pods: matching('a') }), nodeState('n1')];
    assert.deepEqual(scoresOf(podTopologySpread(), podFacts('p', { labels }), nodes, { service: labels }), {
      n0: 66,
      n1: 100,
    });
    assert.equal(scoresOf(podTopologySpread(), podFacts('p', { labels }), nodes), undefined);
  });

  it('has default constraints of its arguments for the pods of a service', () => {
    const required = { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const;
    const plugin = podTopologySpread({ defaultConstraints: [required] });
    const pod = podFacts('p', { labels });
    assert.deepEqual(answersOf(plugin, pod, zones(['a'], []), { service: labels }), { n0: REJECTED, n1: 'fits' });
    assert.deepEqual(answersOf(plugin, pod, zones(['a'], [])), { n0: 'fits', n1: 'fits' });
    assert.equal(scoresOf(plugin, pod, zones(['a'], []), { service: labels }), undefined);
  });
});
