import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { inDeletionOrder, podsToDelete } from './deletion-order.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');

interface Traits {
  readonly node?: string;
  readonly phase?: 'Pending' | 'Unknown' | 'Running';
  readonly readySince?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly created?: string;
}

function pod(uid: string, traits: Traits): Pod {
  const { node = 'n', phase = 'Running', readySince, cost, restarts = 0, sidecarRestarts = 0, created } = traits;
  const container = (name: string, restartCount: number) => ({
    name,
    restartCount,
    ready: true,
    image: '',
    imageID: '',
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      uid,
      creationTimestamp: created ?? '2026-01-01T11:00:00Z',
      ...(cost === undefined ? {} : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: {
      containers: [],
      initContainers: [{ name: 'side', restartPolicy: 'Always' }],
      ...(node === '' ? {} : { nodeName: node }),
    },
    status: {
      phase,
      conditions: readySince === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }],
      containerStatuses: [container('main', restarts)],
      initContainerStatuses: [container('side', sidecarRestarts), container('setup', 99)],
    },
  };
}

const ready = '2026-01-01T11:00:00Z';

describe('the pods that a set deletes first', () => {
  for (const [why, first, second] of [
    ['unscheduled before scheduled', { node: '' }, { phase: 'Pending' }],
    ['pending before unknown', { phase: 'Pending', readySince: ready }, { phase: 'Unknown' }],
    ['unknown before running', { phase: 'Unknown', readySince: ready }, { phase: 'Running' }],
    ['unready before ready', { cost: '9' }, { readySince: ready }],
    ['the lower cost', { cost: '-5' }, { restarts: 3 }],
    ['no malformed cost', { restarts: 1, cost: '+9' }, { cost: '0' }],
    ['no cost beyond 32 bits', { restarts: 1, cost: '2147483648' }, {}],
    ['ready for a shorter time', { readySince: '2026-01-01T11:59:00Z' }, { readySince: ready, restarts: 3 }],
    ['more restarts', { restarts: 2, created: '2026-01-01T01:00:00Z' }, { restarts: 1 }],
    ['more restarts of sidecars', { sidecarRestarts: 2, created: '2026-01-01T01:00:00Z' }, { sidecarRestarts: 1 }],
    ['the younger', { created: '2026-01-01T11:59:00Z' }, { created: '2026-01-01T01:00:00Z' }],
  ] as const) {
    it(why, () => {
      const [one, other] = [pod('b', first), pod('a', second)];
      assert.deepEqual(podsToDelete([one, other], [], 1, NOW), [one]);
      assert.deepEqual(podsToDelete([other, one], [], 1, NOW), [one]);
    });
  }

  it('the one on the node with more active pods of the same owner', () => {
    const crowded = pod('b', { node: 'crowded' });
    const alone = pod('a', { node: 'other', restarts: 3 });
    const neighbour = pod('c', { node: 'crowded' });
    assert.deepEqual(podsToDelete([alone, crowded], [alone, crowded, neighbour], 1, NOW), [crowded]);
  });

  it('by uid among pods of about one age', () => {
    const one = pod('a', { created: '2026-01-01T10:00:00Z' });
    const other = pod('b', { created: '2026-01-01T10:00:01Z' });
    assert.deepEqual(podsToDelete([other, one], [], 1, NOW), [one]);
  });

  it('all of them, in any order, if all must go', () => {
    const pods = [pod('a', {}), pod('b', { node: '' })];
    assert.deepEqual(podsToDelete(pods, [], 2, NOW), pods);
  });
});

describe('the pods that give way first', () => {
  for (const [why, first, second] of [
    ['unscheduled before scheduled', { node: '' }, { phase: 'Pending' }],
    ['unready before ready', { cost: '9' }, { readySince: ready }],
    [
      'ready for a shorter time, whatever they cost',
      { readySince: '2026-01-01T11:00:01Z', cost: '9' },
      { readySince: ready },
    ],
    ['more restarts', { restarts: 1 }, { created: '2026-01-01T11:59:00Z' }],
    ['created later', { created: '2026-01-01T11:00:01Z' }, {}],
  ] as const) {
    it(why, () => {
      const [one, other] = [pod('b', first), pod('a', second)];
      assert.deepEqual(inDeletionOrder([other, one]), [one, other]);
    });
  }
});
