import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isOutOfService, planCollection, type SeenPods } from './plan.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const DELETED = '2026-01-01T11:00:00Z';

interface Traits {
  readonly name?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly node?: string;
  readonly minute?: number;
  readonly isDeleted?: boolean;
  readonly grace?: number;
}

function pod({
  name = 'web',
  phase = 'Running',
  reason,
  node,
  minute = 0,
  isDeleted = false,
  grace = 30,
}: Traits): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: `uid of ${name}`,
      generation: 2,
      creationTimestamp: `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`,
      ...(isDeleted ? { deletionTimestamp: DELETED, deletionGracePeriodSeconds: grace } : {}),
    },
    spec: { containers: [], ...(node === undefined ? {} : { nodeName: node }) },
    // The tests name phases that no server sends, too.
    status: { phase, ...(reason === undefined ? {} : { reason }) } as NonNullable<Pod['status']>,
  };
}

const nothing: SeenPods = { terminated: [], threshold: 2, outOfService: [], orphaned: [], unscheduled: [], now: NOON };
const namesOf = (seen: Partial<SeenPods>) =>
  planCollection({ ...nothing, ...seen }).map(
    ({ pod, status, isToBeDeleted }) =>
      `${pod.metadata.name} ${status === undefined ? '' : 'Failed'}${isToBeDeleted ? '' : ', kept'}`,
  );

describe('planCollection', () => {
  const ended = (name: string, minute: number, phase = 'Succeeded', reason?: string) =>
    pod({ name, minute, phase, ...(reason === undefined ? {} : { reason }) });
  for (const [what, seen, expected] of [
    ['nothing', {}, []],
    ['as many ended pods as may stay', { terminated: [ended('a', 1), ended('b', 2)] }, []],
    ['one ended pod too many: the oldest', { terminated: [ended('b', 2), ended('c', 3), ended('a', 1)] }, ['a ']],
    ['ended pods of one age: by name', { terminated: [ended('c', 1), ended('b', 1), ended('a', 1)] }, ['a ']],
    [
      'an evicted pod goes before older ones',
      { terminated: [ended('a', 1), ended('b', 2, 'Failed'), ended('c', 3, 'Failed', 'Evicted')] },
      ['c '],
    ],
    ['a pod on a node out of service', { outOfService: [pod({ isDeleted: true })] }, ['web Failed']],
    ['a pod without a node', { unscheduled: [pod({ isDeleted: true })] }, ['web Failed']],
    ['an ended pod without a node', { unscheduled: [pod({ isDeleted: true, phase: 'Failed' })] }, ['web ']],
    [
      'a failed pod that only finalizers keep',
      { unscheduled: [pod({ isDeleted: true, grace: 0, phase: 'Failed' })] },
      [],
    ],
    ['a pod that only finalizers keep', { unscheduled: [pod({ isDeleted: true, grace: 0 })] }, ['web Failed, kept']],
    ['an orphaned pod', { orphaned: [pod({})] }, ['web Failed']],
    [
      'an ended pod that is also orphaned, once',
      { threshold: 0, terminated: [ended('a', 1)], orphaned: [ended('a', 1)] },
      ['a '],
    ],
  ] as const) {
    it(what, () => assert.deepEqual(namesOf(seen), expected));
  }

  it('says why an orphaned pod ends, and keeps the time of an earlier disruption', () => {
    const orphan = pod({ node: 'gone' });
    const [fresh] = planCollection({ ...nothing, orphaned: [orphan] });
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-01T12:00:00Z',
      lastProbeTime: null,
    };
    assert.deepEqual(fresh?.status, { phase: 'Failed', observedGeneration: 2, conditions: [condition] });
    const conditions = [{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: DELETED }];
    const before = { ...orphan, status: { conditions } };
    const [again] = planCollection({ ...nothing, orphaned: [before] });
    assert.deepEqual(again?.status?.['conditions'], [{ ...condition, lastTransitionTime: DELETED }]);
  });
});

describe('a node out of service', () => {
  const node = (ready: string, key: string): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {},
    spec: { taints: [{ key, effect: 'NoExecute' }] },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  });
  const TAINT = 'node.kubernetes.io/out-of-service';
  for (const [ready, key, expected] of [
    ['False', TAINT, true],
    ['Unknown', TAINT, true],
    ['True', TAINT, false],
    ['False', 'node.kubernetes.io/unreachable', false],
  ] as const) {
    it(`Ready=${ready} with ${key}: ${expected}`, () => assert.equal(isOutOfService(node(ready, key)), expected));
  }
});
