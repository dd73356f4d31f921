import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { DeviceTaint, DeviceToleration, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { evictionTime } from './plan.js';

const ADDED = '2027-01-01T12:00:00Z';
const NOON = Date.parse(ADDED);
const taint: DeviceTaint = { key: 'a', value: 'v', effect: 'NoExecute', timeAdded: ADDED };
const later: DeviceTaint = { ...taint, key: 'b', timeAdded: '2027-01-01T12:01:00Z' };
const forever: DeviceToleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'n', name: 'p', uid: 'pod' },
  spec: { nodeName: 'node', containers: [], resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] },
};

const made: Pod = {
  ...pod,
  spec: { nodeName: 'node', containers: [], resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] },
  status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'c' }] },
};

interface Traits {
  readonly pod?: Pod;
  readonly taints?: readonly DeviceTaint[];
  readonly tolerations?: readonly DeviceToleration[];
  readonly reservedFor?: string;
  readonly owner?: string;
}

function time({ pod: given = pod, taints = [taint], tolerations = [], reservedFor = 'pod', owner }: Traits) {
  const claim: ResourceClaim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      name: 'c',
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: owner, controller: true }] }),
    },
    spec: {},
    status: {
      allocation: { devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: 'x', tolerations }] } },
      reservedFor: [{ resource: 'pods', name: 'p', uid: reservedFor }],
    },
  };
  const due = evictionTime(given, {
    claimOf: (name) => (name === 'c' ? claim : undefined),
    taintsOf: () => taints,
  });
  return due === undefined ? undefined : (due - NOON) / 1000;
}

describe('the time of an eviction from a device', () => {
  for (const [what, traits, seconds] of [
    ['without a taint', { taints: [] }, undefined],
    ['with a taint', {}, 0],
    ['with a taint of no known time', { taints: [{ key: 'a', effect: 'NoExecute' }] }, undefined],
    ['with two taints, the earlier', { taints: [later, taint] }, 0],
    ['with a taint that is tolerated forever', { tolerations: [forever] }, undefined],
    ['with another that is not', { taints: [taint, later], tolerations: [forever] }, 60],
    ['with a toleration for a while', { tolerations: [{ ...forever, tolerationSeconds: 30 }] }, 30],
    ['with a negative one', { tolerations: [{ ...forever, tolerationSeconds: -5 }] }, 0],
    [
      'with two, the shorter',
      {
        tolerations: [
          { ...forever, tolerationSeconds: 30 },
          { effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 10 },
        ],
      },
      10,
    ],
    ['with one forever among them', { tolerations: [{ ...forever, tolerationSeconds: 30 }, forever] }, undefined],
    ['with a toleration of all effects', { tolerations: [{ operator: 'Exists' }] }, 0],
    ['with a toleration of its value', { tolerations: [{ key: 'a', value: 'v', effect: 'NoExecute' }] }, undefined],
    ['with a toleration of another value', { tolerations: [{ key: 'a', value: 'w', effect: 'NoExecute' }] }, 0],
    ['of a pod without a node', { pod: { ...pod, spec: { ...pod.spec, containers: [], nodeName: '' } } }, undefined],
    ['of a pod that does not hold the claim', { reservedFor: 'another' }, undefined],
    ['of a claim that was made for the pod', { pod: made, owner: 'pod' }, 0],
    ['of a claim that was made for another', { pod: made, owner: 'another' }, undefined],
    ['of a claim that is still to be made', { pod: { ...made, status: {} } }, undefined],
  ] as const satisfies readonly (readonly [string, Traits, number | undefined])[]) {
    it(what, () => assert.equal(time(traits), seconds));
  }
});
