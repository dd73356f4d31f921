import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answersOf, nodeObject, nodeState, podFacts, scoresOf } from '../../testing/index.js';
import { nodeResourcesFit, scoredByDefault, type ScoringStrategy } from '../index.js';

const used = (requests: Record<string, string>) => [podFacts('used', { requests })];

describe('NodeResourcesFit', () => {
  for (const [what, requests, taken, answer] of [
    ['room', { cpu: '1', memory: '1Gi' }, { cpu: '1' }, 'fits'],
    ['nothing wanted', {}, { cpu: '2', memory: '4Gi' }, 'fits'],
    ['no room beside others', { cpu: '1500m' }, { cpu: '1' }, 'Unschedulable: Insufficient cpu'],
    ['more than the node has', { cpu: '3' }, {}, 'UnschedulableAndUnresolvable: Insufficient cpu'],
    [
      'two resources',
      { cpu: '3', memory: '5Gi' },
      {},
      'UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory',
    ],
    [
      'a device that the node lacks',
      { 'example.com/gpu': '1' },
      {},
      'UnschedulableAndUnresolvable: Insufficient example.com/gpu',
    ],
    ['a resource that nodes do not have', { storage: '1Gi' }, {}, 'fits'],
  ] as const) {
    it(`sees ${what}`, () => {
      const node = nodeState('n', { pods: used(taken) });
      assert.deepEqual(answersOf(nodeResourcesFit(), podFacts('p', { requests }), [node]), { n: answer });
    });
  }

  it('counts pods, sidecars and overhead', () => {
    const full = nodeState('n', { allocatable: { pods: '1' }, pods: used({}) });
    assert.deepEqual(answersOf(nodeResourcesFit(), podFacts('p'), [full]), { n: 'Unschedulable: Too many pods' });
    const resources = (cpu: string) => ({ resources: { requests: { cpu } } });
    const spec = {
      containers: [{ name: 'c', ...resources('1') }],
      initContainers: [{ name: 's', restartPolicy: 'Always', ...resources('900m') }],
    };
    const fits = (overhead: string) =>
      answersOf(nodeResourcesFit(), podFacts('p', { spec: { ...spec, overhead: { cpu: overhead } } }), [
        nodeState('n'),
      ]);
    assert.deepEqual(fits('100m'), { n: 'fits' });
    assert.deepEqual(fits('101m'), { n: 'UnschedulableAndUnresolvable: Insufficient cpu' });
  });

  it('prefers the node with the most room, and counts defaults for pods without requests', () => {
    const nodes = [
      nodeState('half', { pods: used({ cpu: '1', memory: '2Gi' }) }),
      nodeState('empty'),
      nodeState('quiet', { pods: used({}) }),
    ];
    // 100m of 2 cores and 200 MiB of 4 GiB are 5 % and almost 5 %.
    assert.deepEqual(scoresOf(nodeResourcesFit(), podFacts('p'), nodes), { half: 45, empty: 95, quiet: 90 });
  });

  const devices = { 'example.com/gpu': '1' };
  for (const [what, args, expected] of [
    ['by name', { ignoredResources: ['example.com/gpu'] }, 'fits'],
    ['by group', { ignoredResourceGroups: ['example.com'] }, 'fits'],
    [
      'of another name',
      { ignoredResources: ['example.com/fpga', 'cpu'] },
      'UnschedulableAndUnresolvable: Insufficient example.com/gpu',
    ],
  ] as const) {
    it(`leaves out ignored resources ${what}`, () => {
      const pod = podFacts('p', { requests: devices });
      assert.deepEqual(answersOf(nodeResourcesFit(args), pod, [nodeState('n')]), { n: expected });
    });
  }

  const weighted = [
    { name: 'cpu', weight: 3 },
    { name: 'memory', weight: 1 },
  ];
  const packing = [
    { utilization: 0, score: 0 },
    { utilization: 50, score: 10 },
    { utilization: 100, score: 5 },
  ];
  for (const [what, strategy, expected] of [
    ['the most room, by weight', { type: 'LeastAllocated', resources: weighted }, { half: 46, empty: 96, full: 24 }],
    ['the least room', { type: 'MostAllocated', resources: scoredByDefault }, { half: 52, empty: 2, full: 50 }],
    // 55 % of cpu and 50 % of memory score 95 and 100.
    [
      'the room of a shape',
      { type: 'RequestedToCapacityRatio', resources: scoredByDefault, shape: packing },
      { half: 98, empty: 10, full: 26 },
    ],
  ] satisfies readonly [string, ScoringStrategy, Record<string, number>][]) {
    it(`prefers ${what}`, () => {
      const nodes = [
        nodeState('half', { pods: used({ cpu: '1', memory: '2Gi' }) }),
        nodeState('empty'),
        nodeState('full', { pods: used({ cpu: '2', memory: '1Mi' }) }),
      ];
      const pod = podFacts('p', { requests: { cpu: '100m', memory: '40Mi' } });
      assert.deepEqual(scoresOf(nodeResourcesFit({ scoringStrategy: strategy }), pod, nodes), expected);
    });
  }

  it('retries only after changes of nodes that fit when they are empty', () => {
    const hint = nodeResourcesFit().interests?.find(({ resource }) => resource === 'Node')?.isWorthTrying;
    const event = (cpu: string) =>
      ({ resource: 'Node', action: 'Add', after: nodeObject('n', { allocatable: { cpu } }) }) as const;
    const pod = podFacts('p', { requests: { cpu: '3' } });
    assert.deepEqual([hint?.(pod, event('2')), hint?.(pod, event('4'))], [false, true]);
  });
});
