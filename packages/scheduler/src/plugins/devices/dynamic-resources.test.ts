import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { inSteps, type PodFacts, type Status, success } from '../../framework/index.js';
import {
  answersOf,
  attemptOf,
  deviceRequest,
  devicesOf,
  DRIVER,
  nodeState,
  podFacts,
  resourceClaim,
  scoresOf,
  sliceObject,
} from '../../testing/index.js';
import { dynamicResources } from '../index.js';

const nodes = [nodeState('n1'), nodeState('n2')];
const slices = [sliceObject('n1', ['a', 'b']), sliceObject('n2', ['a'])];
const podWith = (...claims: readonly string[]) =>
  podFacts('p', { spec: { resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })) } });
const no = (reason: string) => `UnschedulableAndUnresolvable: ${reason}`;
const two = resourceClaim('c', { requests: [deviceRequest('r', { count: 2 })] });
const allocated = (node: string, reservedFor: readonly string[] = []): ResourceClaim =>
  resourceClaim('c', undefined, {
    allocation: {
      devices: { results: [{ request: 'r', driver: DRIVER, pool: node, device: 'a' }] },
      nodeSelector: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
      },
    },
    reservedFor: reservedFor.map((uid) => ({ resource: 'pods', name: uid, uid })),
  });
function* noSteps(): Steps<Status> {
  yield;
  return success;
}

const ELSEWHERE = no('resourceclaim not available on the node');

describe('DynamicResources', () => {
  for (const [what, claims, expected] of [
    ['a claim without devices', [resourceClaim('c')], ['fits', 'fits']],
    ['a claim for which one node has enough', [two], ['fits', no('cannot allocate all claims')]],
    ['a claim with a device', [allocated('n2')], [ELSEWHERE, 'fits']],
    [
      'a claim of an unknown class',
      [resourceClaim('c', { requests: [deviceRequest('r', { deviceClassName: 'x' })] })],
      [no('request r: device class x does not exist'), no('request r: device class x does not exist')],
    ],
  ] as const) {
    it(what, () => {
      const plugin = dynamicResources(devicesOf({ claims, slices }));
      assert.deepEqual(Object.values(answersOf(plugin, podWith('c'), nodes)), expected);
    });
  }

  it('prefers the first alternative', () => {
    const firstAvailable = [
      { name: 'many', deviceClassName: 'gpu', count: 2 },
      { name: 'one', deviceClassName: 'gpu', count: 1 },
    ];
    const plugin = dynamicResources(
      devicesOf({ claims: [resourceClaim('c', { requests: [{ name: 'r', firstAvailable }] })], slices }),
    );
    const attempt = attemptOf(podWith('c'), nodes);
    finish(inSteps(plugin.preFilter?.(attempt) ?? success));
    for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
    assert.deepEqual(
      nodes.map((node) => plugin.score?.(attempt, node)),
      [8, 7],
    );
    assert.deepEqual(scoresOf(plugin, podFacts('q'), nodes), { n1: 0, n2: 0 });
  });

  it('does not score nodes for a pod without open claims', () => {
    const plugin = dynamicResources(devicesOf({ claims: [two], slices }));
    const preScored = (pod: PodFacts) => {
      const attempt = attemptOf(pod, nodes);
      finish(inSteps(plugin.preFilter?.(attempt) ?? success));
      return finish(inSteps(plugin.preScore?.(attempt, nodes) ?? success)).code;
    };
    assert.deepEqual([preScored(podFacts('q')), preScored(podWith('c'))], ['Skip', 'Success']);
  });

  it('takes the devices in Reserve, and gives them back in Unreserve', () => {
    const claims = [resourceClaim('c'), resourceClaim('d')];
    const plugin = dynamicResources(devicesOf({ claims, slices: slices.slice(1) }));
    const attempt = attemptOf(podWith('c'), nodes);
    finish(inSteps(plugin.preFilter?.(attempt) ?? success));
    for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
    assert.equal(plugin.reserve?.(attempt, 'n2').code, 'Success');
    assert.equal(answersOf(plugin, podWith('d'), nodes)['n2'], no('cannot allocate all claims'));
    const busy = no('resource claim default/c is in the process of being allocated');
    assert.equal(answersOf(plugin, podWith('c'), nodes)['n2'], busy);
    plugin.unreserve?.(attempt, 'n2');
    assert.equal(answersOf(plugin, podWith('d'), nodes)['n2'], 'fits');
  });

  for (const [what, claim, text, written] of [
    ['frees a claim that no pod uses', allocated('gone'), 'deallocation of ResourceClaim completed', ['deallocate c']],
    ['leaves a claim that another pod uses', allocated('gone', ['q']), 'still not schedulable', []],
  ] as const) {
    it(what, () => {
      const asked: string[] = [];
      const plugin = dynamicResources(devicesOf({ claims: [claim] }, asked));
      const attempt = attemptOf(podWith('c'), nodes);
      finish(inSteps(plugin.preFilter?.(attempt) ?? success));
      for (const node of nodes) finish(inSteps(plugin.filter?.(attempt, node) ?? success));
      const statuses = { get: () => success, explicit: new Map(), absent: success };
      const runner = { addPod: () => undefined, removePod: () => undefined, filter: () => noSteps() };
      const result = plugin.postFilter?.(attempt, statuses, runner);
      assert.ok(result !== undefined && 'status' in result);
      assert.deepEqual([result.status.reasons, asked], [[text], written]);
    });
  }
});
