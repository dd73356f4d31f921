import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { inSteps, success } from '../../framework/index.js';
import {
  answersOf,
  attemptOf,
  deviceClassObject,
  devicesOf,
  nodeState,
  podFacts,
  resourceClaim,
  sliceObject,
} from '../../testing/index.js';
import { claimForNode, extendedClaimOf } from './extended-claim.js';
import { dynamicResources, nodeResourcesFit } from '../index.js';

const GPU = 'example.com/gpu';
const { signal } = new AbortController();
const classes = [deviceClassObject('gpu', { extendedResourceName: GPU })];
const slices = [sliceObject('n1', ['a']), sliceObject('n2', ['a', 'b'])];
const own = nodeState('own', { allocatable: { [GPU]: '4' } });
const nodes = [nodeState('n1'), nodeState('n2'), own];
const asking = (count: string, resource = GPU) =>
  podFacts('p', { spec: { containers: [{ name: 'c', resources: { requests: { [resource]: count } } }] } });
const no = (reason: string) => `UnschedulableAndUnresolvable: ${reason}`;

function given(claims: readonly ResourceClaim[] = []) {
  const asked: string[] = [];
  const devices = devicesOf({ classes, slices, claims }, asked);
  return { asked, devices, plugin: dynamicResources(devices), fit: nodeResourcesFit({}, devices.classForResource) };
}

describe('extended resources that have a DeviceClass', () => {
  it('come from devices, or from a node that has them itself', () => {
    const { plugin, fit } = given();
    assert.deepEqual(answersOf(fit, asking('2'), nodes), { n1: 'fits', n2: 'fits', own: 'fits' });
    const expected = { n1: no('cannot allocate all claims'), n2: 'fits', own: 'fits' };
    assert.deepEqual(answersOf(plugin, asking('2'), nodes), expected);
    const lack = no('Insufficient example.com/other');
    assert.deepEqual(Object.values(answersOf(fit, asking('1', 'example.com/other'), nodes)), [lack, lack, lack]);
  });

  it('are claimed before the pod is bound, and freed when that fails', async () => {
    const { plugin, asked } = given();
    const attempt = attemptOf(asking('2'), nodes);
    finish(inSteps(plugin.preFilter?.(attempt) ?? success));
    for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
    assert.equal(plugin.reserve?.(attempt, 'n2').code, 'Success');
    assert.equal(answersOf(plugin, asking('1'), nodes)['n2'], no('cannot allocate all claims'));
    assert.equal((await plugin.preBind?.(attempt, 'n2', signal))?.code, 'Success');
    const name = 'p-extended-resources-1';
    assert.deepEqual(asked, [`create ${name}`, `reserve ${name}`, `record ${name}`]);
    plugin.unreserve?.(attempt, 'n2');
    assert.equal(asked.at(-1), `discard ${name}`);
  });

  it('need no claim on a node that has them itself', async () => {
    const { plugin, asked } = given();
    const attempt = attemptOf(asking('2'), nodes);
    finish(inSteps(plugin.preFilter?.(attempt) ?? success));
    for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
    assert.equal(plugin.reserve?.(attempt, 'own').code, 'Success');
    assert.equal((await plugin.preBind?.(attempt, 'own', signal))?.code, 'Success');
    assert.deepEqual(asked, []);
  });

  it('wait until the claim of an earlier attempt is deleted', () => {
    const pod = asking('1');
    const claim = resourceClaim('left');
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod.uid, controller: true };
    const annotations = { 'resource.kubernetes.io/extended-resource-claim': 'true' };
    const metadata = { ...claim.metadata, annotations, ownerReferences: [owner] };
    const { plugin, asked } = given([{ ...claim, metadata }]);
    const attempt = attemptOf(pod, nodes);
    finish(inSteps(plugin.preFilter?.(attempt) ?? success));
    for (const node of nodes) {
      const status = finish(inSteps(plugin.filter?.(attempt, node) ?? success));
      assert.deepEqual([status.code, status.reasons], ['Unschedulable', ['cannot schedule extended resource claim']]);
    }
    const statuses = { get: () => success, explicit: new Map(), absent: success };
    const runner = { addPod: () => undefined, removePod: () => undefined, filter: () => inSteps(success) };
    const result = plugin.postFilter?.(attempt, statuses, runner);
    assert.ok(result !== undefined && 'status' in result);
    assert.deepEqual([result.status.reasons, asked], [['deletion of ResourceClaim completed'], ['discard left']]);
  });

  it('are computed once for all nodes that lack the same', () => {
    const { devices } = given();
    const pod = asking('2');
    const extended = extendedClaimOf(pod, devices, () => 'u');
    assert.ok(extended !== undefined);
    const [first, second, none] = nodes.map((node) => finish(claimForNode(extended, pod, node)));
    assert.equal(second, first);
    assert.deepEqual([typeof first, none], ['object', undefined]);
  });
});
