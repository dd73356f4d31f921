import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { seededRandom } from '@binnacle/apimachinery/clock';
import type { PodFacts } from '../framework/index.js';
import { defaultPlugins } from '../plugins/index.js';
import {
  finishWithoutWaiting,
  idleBinder,
  noDevices,
  nodeState,
  podFacts,
  type PodTraits,
  snapshotOf,
  type SnapshotTraits,
} from '../testing/index.js';
import { feasibleNodesToFind, type Outcome, Profile, schedule } from './index.js';

const parts = { write: async () => undefined, binder: idleBinder, devices: noDevices };
const profile = new Profile({ name: 'default-scheduler', plugins: defaultPlugins(parts) });

function outcomeOf(
  pod: PodFacts,
  nodes: readonly ReturnType<typeof nodeState>[],
  traits: SnapshotTraits = {},
  seed = 1,
): Outcome {
  return finishWithoutWaiting(
    schedule(pod, { profile, snapshot: snapshotOf(nodes, traits), random: seededRandom(seed) }),
  );
}

const messageOf = (outcome: Outcome) => ('diagnosis' in outcome ? outcome.diagnosis.message : outcome.node);
const asking = (cpu: string, traits: PodTraits = {}) => podFacts('p', { requests: { cpu }, ...traits });
const prioritized = (name: string, priority: number, cpu: string, traits: PodTraits = {}) =>
  podFacts(name, { requests: { cpu }, ...traits, spec: { priority } });

describe('a pod that fits nowhere', () => {
  const claims = 'no new claims to deallocate';
  const hopeless = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
  const three = (...traits: Parameters<typeof nodeState>[1][]) => [0, 1, 2].map((i) => nodeState(`n${i}`, traits[i]));
  const taints = [{ key: 'k', effect: 'NoSchedule' }] as const;
  for (const [what, pod, nodes, message] of [
    ['no nodes', podFacts('p'), [], 'no nodes available to schedule pods'],
    ['too large', asking('3'), three(), `0/3 nodes are available: 3 Insufficient cpu. ${claims}, ${hopeless}`],
    [
      'different reasons, in the order of their text',
      asking('3'),
      three({ taints }, { unschedulable: true }),
      `0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. ${claims}, ${hopeless}`,
    ],
    [
      'a name that no node has',
      podFacts('p', { spec: { affinity: namedNode('none') } }),
      three(),
      `0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${claims}, ${hopeless}`,
    ],
    [
      'a pod in the way, of the same priority',
      podFacts('p', { hostPort: 80 }),
      [nodeState('n0', { pods: [podFacts('a', { hostPort: 80 })] })],
      `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. ${claims}, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.`,
    ],
    [
      'a resource claim that does not exist',
      podFacts('p', { spec: { resourceClaims: [{ name: 'gpu' }] } }),
      three(),
      `0/3 nodes are available: pod "default/p": ResourceClaim not created yet. ${claims}, ${hopeless}`,
    ],
    [
      'a pod that may not preempt',
      podFacts('p', { requests: { cpu: '1' }, spec: { priority: 9, preemptionPolicy: 'Never' } }),
      [nodeState('n0', { pods: [prioritized('a', 0, '1500m')] })],
      `0/1 nodes are available: 1 Insufficient cpu. ${claims}, preemption: not eligible due to preemptionPolicy=Never.`,
    ],
  ] as const) {
    it(`says why: ${what}`, () => assert.equal(messageOf(outcomeOf(pod, nodes)), message));
  }

  it('names the plugins whose answers must change', () => {
    const outcome = outcomeOf(asking('3'), three({ taints }));
    assert.ok('diagnosis' in outcome);
    assert.deepEqual([...outcome.diagnosis.rejectedBy], ['TaintToleration', 'NodeResourcesFit']);
  });
});

describe('the node of a pod', () => {
  it('has the highest weighted score', () => {
    const avoided = { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] } as const;
    const nodes = [nodeState('n0', avoided), nodeState('n1', { pods: [asking('1')] }), nodeState('n2', avoided)];
    assert.equal(messageOf(outcomeOf(podFacts('q', { requests: { cpu: '100m' } }), nodes)), 'n1');
  });

  it('is one of the best by chance, and the same for the same seed', () => {
    const nodes = [nodeState('n0'), nodeState('n1'), nodeState('n2')];
    const chosen = Array.from({ length: 30 }, (_, seed) => messageOf(outcomeOf(podFacts('p'), nodes, {}, seed)));
    assert.equal(new Set(chosen).size, 3);
    assert.equal(messageOf(outcomeOf(podFacts('p'), nodes, {}, 7)), chosen[7]);
  });

  it('keeps room for nominated pods of the same or a higher priority', () => {
    const nominated = { n0: [prioritized('high', 9, '1500m')] };
    const fits = (priority: number) =>
      messageOf(outcomeOf(prioritized('p', priority, '1'), [nodeState('n0')], { nominated }));
    assert.match(fits(9), /^0\/1 nodes are available: 1 Insufficient cpu/);
    assert.equal(fits(10), 'n0');
  });

  it('is the nominated one if that fits', () => {
    const pod = podFacts('p', { status: { nominatedNodeName: 'n1' } });
    assert.equal(messageOf(outcomeOf(pod, [nodeState('n0'), nodeState('n1', { pods: [asking('1')] })])), 'n1');
  });
});

describe('preemption', () => {
  const high = prioritized('p', 1000, '1500m');
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { namespace: 'default', name: 'b' },
    spec: { selector: { matchLabels: { app: 'w' } } },
    status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
  };
  for (const [what, pods, expected] of [
    ['the lowest priority', [[prioritized('a', 500, '1')], [prioritized('b', 10, '1')]], ['n1', 'b']],
    [
      'the fewest pods',
      [[prioritized('a1', 10, '900m'), prioritized('a2', 10, '900m')], [prioritized('b', 10, '1800m')]],
      ['n1', 'b'],
    ],
    [
      'no more pods than needed, and the least important',
      [[prioritized('a', 10, '1'), prioritized('b', 20, '400m')]],
      ['n0', 'a'],
    ],
    [
      'pods without a budget',
      [[prioritized('a', 10, '1', { labels: { app: 'w' } })], [prioritized('b', 20, '1')]],
      ['n1', 'b'],
    ],
  ] as const) {
    it(`ends ${what}`, () => {
      const nodes = pods.map((own, index) => nodeState(`n${index}`, { pods: own }));
      const outcome = outcomeOf(high, nodes, { budgets: [budget] });
      assert.ok('diagnosis' in outcome);
      const { message, nominatedNode, victims } = outcome.diagnosis;
      assert.deepEqual([nominatedNode, ...victims.map(({ name }) => name)], expected);
      assert.equal(message, `0/${nodes.length} nodes are available: ${nodes.length} Insufficient cpu.`);
    });
  }

  it('reads each disruption budget once for all nodes', () => {
    let reads = 0;
    const counted: PodDisruptionBudget = {
      ...budget,
      get spec() {
        reads++;
        return { selector: { matchLabels: { app: 'w' } } };
      },
    };
    const nodes = Array.from({ length: 20 }, (_, index) =>
      nodeState(`n${index}`, { pods: [prioritized(`a${index}`, 10, '1', { labels: { app: 'w' } })] }),
    );
    reads = 0;
    outcomeOf(high, nodes, { budgets: [counted] });
    assert.equal(reads, 1);
  });

  it('waits for the pods that are ending on the nominated node', () => {
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] as const;
    const victim = prioritized('a', 0, '1', { isTerminating: true, status: { conditions } });
    const pod = prioritized('p', 9, '1500m', { status: { nominatedNodeName: 'n0' } });
    assert.match(
      messageOf(outcomeOf(pod, [nodeState('n0', { pods: [victim] })])),
      /terminating pod on the nominated node\.$/,
    );
  });
});

it('looks for the best of a share of many nodes', () => {
  assert.deepEqual(
    [3, 99, 100, 1000, 5000, 10_000].map((nodes) => feasibleNodesToFind(nodes)),
    [3, 99, 100, 420, 500, 500],
  );
});

it('a percentage of nodes to score replaces the one by the size of the cluster', () => {
  assert.deepEqual(
    [3, 100, 1000].map((nodes) => feasibleNodesToFind(nodes, 70)),
    [3, 100, 700],
  );
});

it('a profile needs one plugin that sorts, one that binds, and no plugin twice', () => {
  const plugins = defaultPlugins(parts);
  const without = (name: string) => ({ name: 'x', plugins: plugins.filter(({ plugin }) => plugin.name !== name) });
  assert.throws(
    () => new Profile(without('PrioritySort')),
    /^Error: only one queue sort plugin required for profile with scheduler name "x", but got 0$/,
  );
  assert.throws(
    () => new Profile(without('DefaultBinder')),
    /^Error: at least one bind plugin is needed for profile with scheduler name "x"$/,
  );
  assert.throws(() => new Profile({ name: 'x', plugins: [...plugins, ...plugins.slice(0, 1)] }), /listed twice/);
});

it('a profile leaves out plugins at the points that are listed', () => {
  const points = new Map([['score', ['ImageLocality', 'TaintToleration']]] as const);
  const limited = new Profile({ name: 'x', plugins: defaultPlugins(parts), points });
  const names = (method: 'score' | 'normalizeScore' | 'filter') => limited.with(method).map(({ name }) => name);
  assert.deepEqual(
    [names('score'), names('normalizeScore')],
    [['ImageLocality', 'TaintToleration'], ['TaintToleration']],
  );
  assert.ok(names('filter').includes('NodeResourcesFit'));
  assert.deepEqual(
    limited.with('score').map((plugin) => limited.weightOf(plugin)),
    [1, 3],
  );
});

function namedNode(name: string) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }] as const;
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } } };
}
