import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { groupPods, type PodMetrics } from './pod-metrics.js';
import { requestsOf } from './pod-requests.js';
import {
  averageOf,
  MetricsError,
  replicasForPods,
  replicasForRatio,
  replicasForShares,
  utilizationOf,
} from './replica-calculator.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const PERIODS = { cpuInitialization: 300_000, initialReadiness: 30_000 };
const TEN_PERCENT = { down: 0.1, up: 0.1 };
const LONG_AGO = '2026-01-01T10:00:00Z';

interface Traits {
  readonly phase?: string;
  readonly ready?: string;
  readonly since?: string;
  readonly started?: string;
  readonly isDeleted?: boolean;
  readonly request?: string;
}

function pod(name: string, traits: Traits = {}): Pod {
  const { phase = 'Running', ready = 'True', since = LONG_AGO, started = LONG_AGO, isDeleted, request = '1' } = traits;
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: since }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(isDeleted === true ? { deletionTimestamp: LONG_AGO } : {}) },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: request } } }] },
    status: { phase, startTime: started, conditions } as NonNullable<Pod['status']>,
  };
}

/** Thousandths of a CPU by the name of the pod, measured in the last minute. */
function metrics(levels: Readonly<Record<string, number>>): PodMetrics {
  return new Map(
    Object.entries(levels).map(([name, value]) => [name, { value: BigInt(value), timestamp: NOON, window: 60_000 }]),
  );
}

const three = [pod('a'), pod('b'), pod('c')];
const starting = { ready: 'False', since: '2026-01-01T11:59:00Z', started: '2026-01-01T11:59:00Z' };

describe('the replicas for a share of the requests', () => {
  for (const [what, current, pods, levels, target, replicas, utilization] of [
    ['too much load', 3, three, { a: 300, b: 500, c: 700 }, 30, 5, 50],
    ['too little load', 5, three, { a: 100, b: 100, c: 100 }, 50, 1, 10],
    ['within the tolerance', 3, three, { a: 1010, b: 1030, c: 1020 }, 100, 3, 102],
    ['the largest size stays exact', 3, three, { a: 900, b: 900, c: 900 }, 30, 9, 90],
    ['no change by rounding', 3, three, { a: 333, b: 333, c: 333 }, 33, 3, 33],
    ['a missing pod counts as idle when the load is high', 3, three, { a: 700, b: 700 }, 50, 3, 70],
    ['a missing pod counts as busy when the load is low', 3, three, { a: 100, b: 100 }, 50, 3, 10],
    ['one that shrinks despite a missing pod', 4, [...three, pod('d')], { a: 10, b: 10, c: 10 }, 60, 2, 1],
    [
      'an unready pod counts as idle when the load is high',
      3,
      [pod('a'), pod('b'), pod('c', starting)],
      { a: 900, b: 900, c: 900 },
      50,
      4,
      90,
    ],
    [
      'an unready pod does not count when the load is low',
      3,
      [pod('a'), pod('b'), pod('c', starting)],
      { a: 100, b: 100, c: 100 },
      50,
      1,
      10,
    ],
    ['a pending pod', 3, [pod('a'), pod('b'), pod('c', { phase: 'Pending' })], { a: 900, b: 900 }, 30, 6, 90],
    [
      'deleted and failed pods',
      2,
      [pod('a'), pod('b'), pod('c', { isDeleted: true }), pod('d', { phase: 'Failed' })],
      { a: 600, b: 600, c: 5000, d: 5000 },
      30,
      4,
      60,
    ],
  ] as const) {
    it(what, () => {
      const groups = groupPods(pods, metrics(levels), true, PERIODS, NOON);
      const requests = requestsOf(pods, 'cpu', undefined);
      const usageOf = (values: ReadonlyMap<string, bigint>) => utilizationOf(values, requests, target);
      const fallback = (name: string) => requests.get(name) ?? 0n;
      const measured = replicasForPods(current, groups, usageOf, fallback, TEN_PERCENT);
      assert.deepEqual([measured.replicas, measured.usage.utilization], [replicas, utilization]);
    });
  }

  it('is unknown without metrics of ready pods, or without requests', () => {
    const groups = groupPods([pod('a', starting)], metrics({ a: 100 }), true, PERIODS, NOON);
    const usageOf = (values: ReadonlyMap<string, bigint>) => averageOf(values, 100n);
    const compute = () => replicasForPods(1, groups, usageOf, () => 0n, TEN_PERCENT);
    assert.throws(compute, { message: 'did not receive metrics for targeted pods (pods might be unready)' });
    assert.throws(() => utilizationOf(new Map([['x', 1n]]), new Map([['y', 1n]]), 50), {
      message: 'no metrics returned matched known pods',
    });
  });
});

describe('the pods that count', () => {
  const now = (started: string, ready: string, since: string) => pod('a', { started, ready, since });
  for (const [what, given, isCpu, expected] of [
    ['a ready pod', pod('a'), true, 'ready'],
    ['an unready one that was ready', now(LONG_AGO, 'False', '2026-01-01T11:00:00Z'), true, 'ready'],
    ['one that was never ready', now(LONG_AGO, 'False', '2026-01-01T10:00:10Z'), true, 'unready'],
    [
      'a new ready one, before a window has passed',
      now('2026-01-01T11:59:00Z', 'True', '2026-01-01T11:59:30Z'),
      true,
      'unready',
    ],
    ['the same, later', now('2026-01-01T11:58:00Z', 'True', '2026-01-01T11:58:30Z'), true, 'ready'],
    ['any running one, for other metrics', pod('a', starting), false, 'ready'],
  ] as const) {
    it(what, () => {
      const { ready, unready } = groupPods([given], metrics({ a: 100 }), isCpu, PERIODS, NOON);
      assert.deepEqual([ready, unready.length], expected === 'ready' ? [1, 0] : [0, 1]);
    });
  }
});

describe('the replicas for one value', () => {
  for (const [what, current, ratio, expected] of [
    ['grows', 3, 2, 6],
    ['shrinks', 3, 0.5, 2],
    ['stays within the tolerance', 3, 1.09, 3],
    ['starts from nothing', 0, 2.5, 3],
    ['is no larger than an int32', 3, 1e12, 2 ** 31 - 1],
  ] as const) {
    it(what, () => assert.equal(replicasForRatio(current, ratio, three, TEN_PERCENT), expected));
  }

  it('needs pods', () => assert.throws(() => replicasForRatio(3, 2, [], TEN_PERCENT), MetricsError));

  for (const [what, present, value, target, replicas, average] of [
    ['each gets its share', 3, 9000n, 1000n, 9, 3000n],
    ['within the tolerance', 3, 3100n, 1000n, 3, 1034n],
    ['rounded up', 3, 4001n, 1000n, 5, 1334n],
    ['no pods yet', 0, 2000n, 1000n, 2, 2000n],
  ] as const) {
    it(`shares: ${what}`, () =>
      assert.deepEqual(replicasForShares(present, value, target, TEN_PERCENT), { replicas, average }));
  }
});

describe('the requests of a pod', () => {
  const container = (name: string, cpu?: string, restartPolicy?: 'Always') => ({
    name,
    image: 'i',
    ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const of = (spec: NonNullable<Pod['spec']>, name?: string) =>
    requestsOf([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }], 'cpu', name).get('p');

  it('is the sum of its containers and sidecars', () => {
    const initContainers = [container('i', '5'), container('s', '100m', 'Always')];
    assert.equal(of({ containers: [container('a', '1'), container('b', '500m')], initContainers }), 1600n);
    assert.equal(of({ containers: [container('a', '1'), container('b', '500m')] }, 'b'), 500n);
  });

  it('is that of the pod if it has one, unless a container is named', () => {
    const spec = { containers: [container('a', '1')], resources: { requests: { cpu: '3' } } };
    assert.deepEqual([of(spec), of(spec, 'a')], [3000n, 1000n]);
  });

  it('must be there', () => {
    assert.throws(() => of({ containers: [container('a')] }), {
      message: 'missing request for cpu in container a of Pod p',
    });
    assert.throws(() => of({ containers: [container('a', '1')] }, 'x'), { message: 'container x not found in Pod p' });
  });
});
