import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluatorOf } from '@binnacle/api/quota';
import { finish } from '@binnacle/apimachinery/work';
import type { Pod, ResourceQuota } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { specialKinds } from './counted-kinds.js';
import { changesUsage, type CountedKind, type CountedObjects, countedResources, planQuota } from './plan.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');

type Texts = Readonly<Record<string, string>>;

function quota(hard: Texts, status?: ResourceQuota['status'], more: ResourceQuota['spec'] = {}): ResourceQuota {
  const spec = { hard, ...more };
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: {}, spec, ...(status === undefined ? {} : { status }) };
}

function pod(cpu: string, more: Partial<Pod> = {}): Pod {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers }, ...more };
}

const deleted = (at: string) => ({ metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 30 } });

function kindOf(resource: string): CountedKind {
  const special = specialKinds.get(resource);
  assert.ok(special !== undefined);
  return special;
}

const pods = (...objects: TypedObject[]): CountedObjects => ({ ...kindOf('pods'), objects });

function plain(resource: string, count: number): CountedObjects {
  const evaluator = evaluatorOf({ group: '', resource });
  assert.ok(evaluator !== undefined);
  const object: TypedObject = { apiVersion: 'v1', kind: 'PartialObjectMetadata', metadata: {} };
  return { kind: '', evaluator, objects: Array.from({ length: count }, () => object) };
}

describe('planQuota', () => {
  const half = pod('500m');
  const ended = pod('500m', { status: { phase: 'Succeeded' } });
  for (const [what, given, counted, used] of [
    ['a new quota', quota({ pods: '2' }), [pods()], { pods: '0' }],
    ['sums', quota({ pods: '2', 'requests.cpu': '2' }), [pods(half, half)], { pods: '2', 'requests.cpu': '1' }],
    [
      'an ended pod counts as an object only',
      quota({ pods: '2', 'count/pods': '9', cpu: '1' }),
      [pods(half, ended)],
      { pods: '1', 'count/pods': '2', cpu: '500m' },
    ],
    [
      'a pod that no kubelet ends',
      quota({ pods: '2' }),
      [pods(pod('1', deleted('2026-01-01T11:59:29Z')))],
      { pods: '0' },
    ],
    [
      'two kinds',
      quota({ pods: '2', configmaps: '9' }),
      [pods(half), plain('configmaps', 3)],
      { pods: '1', configmaps: '3' },
    ],
    ['an unknown kind', quota({ pods: '2', 'count/x.example': '9' }), [pods()], { pods: '0' }],
    [
      'an unknown kind keeps its usage, a resource without a limit does not',
      quota({ 'count/x.example': '9' }, { hard: {}, used: { 'count/x.example': '4', pods: '1' } }),
      [],
      { 'count/x.example': '4' },
    ],
    [
      'scopes',
      quota({ pods: '2' }, undefined, { scopes: ['Terminating'] }),
      [pods(half, pod('1', { spec: { containers: [], activeDeadlineSeconds: 9 } }))],
      { pods: '1' },
    ],
    [
      'scopes select pods alone',
      quota({ configmaps: '2' }, undefined, { scopes: ['BestEffort'] }),
      [plain('configmaps', 3)],
      { configmaps: '0' },
    ],
  ] as const) {
    it(what, () => {
      const { status } = finish(planQuota(given, counted, NOON));
      assert.deepEqual(status, { hard: given.spec?.hard, used });
    });
  }

  const resized = (wanted: string, has: string, reason?: string): Pod => {
    const containerStatuses = [{ name: 'c', resources: { requests: { cpu: has } }, allocatedResources: { cpu: has } }];
    const conditions = reason === undefined ? [] : [{ type: 'PodResizePending', status: 'True', reason }];
    // A status in full has more fields.
    return pod(wanted, {
      status: { phase: 'Running', containerStatuses, conditions } as unknown as NonNullable<Pod['status']>,
    });
  };
  for (const [what, given, used] of [
    ['grows', resized('2', '1'), '2'],
    ['shrinks', resized('1', '2'), '2'],
    ['is done', resized('1', '1'), '1'],
    ['waits', resized('2', '1', 'Deferred'), '2'],
    ['is infeasible', resized('9', '1', 'Infeasible'), '1'],
  ] as const) {
    it(`a resize that ${what}`, () =>
      assert.equal(finish(planQuota(quota({ cpu: '9' }), [pods(given)], NOON)).status?.used?.['cpu'], used));
  }

  it('writes nothing if limits and usage are the same as quantities', () => {
    const status = { hard: { cpu: '1000m' }, used: { cpu: '0.5' } };
    assert.equal(finish(planQuota(quota({ cpu: '1' }, status), [pods(half)], NOON)).status, undefined);
    assert.notEqual(finish(planQuota(quota({ cpu: '2' }, status), [pods(half)], NOON)).status, undefined);
    assert.notEqual(finish(planQuota(quota({ cpu: '1' }, status), [pods()], NOON)).status, undefined);
  });

  it('yields between pods that ask for thousands of resources', () => {
    const requests = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`example.com/r${index}`, '1']));
    const large = pod('1', { spec: { containers: [{ name: 'c', image: 'i', resources: { requests } }] } });
    const steps = planQuota(quota({ pods: '9' }), [pods(large, half, large)], NOON);
    assert.deepEqual([steps.next().done, steps.next().done, steps.next().done], [false, false, true]);
  });

  it('counts again when the deletion of a pod is overdue', () => {
    const leaving = [pod('1', deleted('2026-01-01T12:00:10Z')), pod('1', deleted('2026-01-01T11:59:35Z'))];
    assert.equal(finish(planQuota(quota({ pods: '2' }), [pods(...leaving)], NOON)).requeueAfter, 5001);
    assert.equal(finish(planQuota(quota({ pods: '2' }), [pods(half)], NOON)).requeueAfter, undefined);
  });
});

describe('countedResources', () => {
  for (const [name, expected] of [
    ['pods', [{ group: '', resource: 'pods' }]],
    ['count/pods', [{ group: '', resource: 'pods' }]],
    ['requests.nvidia.com/gpu', [{ group: '', resource: 'pods' }]],
    ['services.nodeports', [{ group: '', resource: 'services' }]],
    ['gold.storageclass.storage.k8s.io/requests.storage', [{ group: '', resource: 'persistentvolumeclaims' }]],
    ['gpu.deviceclass.resource.k8s.io/devices', [{ group: 'resource.k8s.io', resource: 'resourceclaims' }]],
    ['secrets', [{ group: '', resource: 'secrets' }]],
    ['count/deployments.apps', [{ group: 'apps', resource: 'deployments' }]],
    ['count/widgets.a.example', [{ group: 'a.example', resource: 'widgets' }]],
    ['widgets', []],
  ] as const) {
    it(name, () => assert.deepEqual(countedResources(quota({ [name]: '1' }), specialKinds), expected));
  }
});

describe('changesUsage', () => {
  const kind = kindOf('pods');
  const deadline = pod('1', { spec: { containers: [], activeDeadlineSeconds: 9 } });
  for (const [what, given, before, after, expected] of [
    ['a new status', {}, pod('1'), pod('1', { status: { podIP: '10.0.0.1' } }), false],
    ['a pod that ends', {}, pod('1'), pod('1', { status: { phase: 'Failed' } }), true],
    ['a resize', {}, pod('1'), pod('2'), true],
    ['a deadline', { scopes: ['Terminating'] }, pod('1'), deadline, true],
    ['a pod outside the scopes', { scopes: ['Terminating'] }, pod('1'), pod('2'), false],
  ] as const) {
    it(`${what}: ${expected}`, () =>
      assert.equal(changesUsage(quota({}, undefined, given), kind, before, after, NOON), expected));
  }
});
