import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim, ResourceClaimTemplate } from '@binnacle/client/kinds/resource/v1';
import { claimsToReserve, generatedPrefix, planEntries, reservedFor, statusesToReport } from './plan-pod.js';
import { POD_CLAIM_NAME } from './pod-resource-claims.js';

const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
const template: ResourceClaimTemplate = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { namespace: 'default', name: 'tpl' },
  spec: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { devices: { requests } } },
};
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p', controller: true };

interface Traits {
  readonly uid?: string;
  readonly entry?: string;
  readonly status?: NonNullable<ResourceClaim['status']>;
}

const claim = (name: string, { uid = 'uid-p', entry = 'g', status = {} }: Traits = {}): ResourceClaim => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: {
    namespace: 'default',
    name,
    annotations: { [POD_CLAIM_NAME]: entry },
    ownerReferences: [{ ...owner, uid }],
  },
  spec: {},
  status,
});

const pod = (
  entries: NonNullable<Pod['spec']>['resourceClaims'],
  known: Record<string, string | undefined> = {},
  nodeName?: string,
): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name: 'p', uid: 'uid-p' },
  spec: { containers: [], resourceClaims: entries ?? [], ...(nodeName === undefined ? {} : { nodeName }) },
  status: {
    resourceClaimStatuses: Object.entries(known).map(([name, resourceClaimName]) => ({
      name,
      ...(resourceClaimName === undefined ? {} : { resourceClaimName }),
    })),
  },
});
const of = (...names: string[]) => names.map((name) => ({ name, resourceClaimTemplateName: 'tpl' }));

const seen = (given: Pod, claims: readonly ResourceClaim[], hasTemplate = true) => ({
  pod: given,
  claim: (name: string) => claims.find(({ metadata }) => metadata.name === name),
  owned: claims,
  template: () => (hasTemplate ? template : undefined),
});

describe('planEntries', () => {
  const missing = 'fail resource claim template "tpl": resourceclaimtemplate.resource.k8s.io "tpl" not found';
  for (const [what, given, claims, hasTemplate, expected] of [
    ['no claims', pod([]), [], true, []],
    ['a claim of a user', pod([{ name: 'g', resourceClaimName: 'mine' }]), [], true, []],
    ['a claim to make', pod(of('g')), [], true, ['create p-g-']],
    [
      'two claims, one of them made',
      pod(of('g', 'h'), { g: 'p-g-x' }),
      [claim('p-g-x')],
      true,
      ['keep p-g-x', 'create p-h-'],
    ],
    ['a claim that the status of the pod lacks', pod(of('g')), [claim('p-g-x')], true, ['report p-g-x']],
    ['a claim for another entry', pod(of('g')), [claim('p-h-x', { entry: 'h' })], true, ['create p-g-']],
    ['a claim that is gone', pod(of('g'), { g: 'p-g-x' }), [], true, ['create p-g-']],
    ['a claim of another pod', pod(of('g'), { g: 'p-g-x' }), [claim('p-g-x', { uid: 'other' })], true, ['create p-g-']],
    ['a claim that is not needed', pod(of('g'), { g: undefined }), [], true, []],
    ['no template', pod(of('g')), [], false, [missing]],
    ['no template, and entries after it', pod(of('g', 'h')), [claim('p-h-x', { entry: 'h' })], false, [missing]],
  ] as const) {
    it(`${what}: ${expected.join() || 'nothing'}`, () => {
      const plans = planEntries(seen(given, claims, hasTemplate)).map((plan) => {
        if (plan.step === 'create') return `create ${plan.claim.metadata.generateName ?? ''}`;
        return plan.step === 'fail' ? `fail ${plan.message}` : `${plan.step} ${plan.name}`;
      });
      assert.deepEqual(plans, expected);
    });
  }

  it('takes labels, annotations and spec from the template', () => {
    const [plan] = planEntries(seen(pod(of('g')), []));
    assert.deepEqual(plan?.step === 'create' && plan.claim.metadata, {
      generateName: 'p-g-',
      namespace: 'default',
      labels: { a: 'b' },
      annotations: { c: 'd', [POD_CLAIM_NAME]: 'g' },
      ownerReferences: [owner],
    });
  });
});

describe('the names of the claims that were made', () => {
  it('are reported, and those of claims that could not be made are not', () => {
    const made = { entry: 'g', step: 'create', claim: claim('p-g-x') } as const;
    const failed = { entry: 'h', step: 'fail', message: 'no' } as const;
    assert.deepEqual(statusesToReport([made, failed], new Map([['g', 'p-g-x']])), [
      { name: 'g', resourceClaimName: 'p-g-x' },
    ]);
  });
});

describe('a template without metadata', () => {
  it('gives the claim the mark of its entry alone', () => {
    const given = { ...seen(pod(of('g')), []), template: () => ({ ...template, spec: { spec: template.spec.spec } }) };
    const [plan] = planEntries(given);
    assert.ok(plan?.step === 'create');
    assert.deepEqual(
      [plan.claim.metadata.labels, plan.claim.metadata.annotations, plan.claim.spec],
      [undefined, { [POD_CLAIM_NAME]: 'g' }, { devices: { requests } }],
    );
  });
});

describe('a pod without a spec', () => {
  it('has no claims', () => {
    const { spec: _, ...given } = pod([]);
    assert.deepEqual([planEntries(seen(given, [])), claimsToReserve(seen(given, []))], [[], []]);
  });
});

describe('statusesToReport', () => {
  const keep = { entry: 'g', step: 'keep', name: 'p-g-x' } as const;
  const report = { entry: 'h', step: 'report', name: 'p-h-x' } as const;
  it('is nothing for a pod that knows its claims', () => assert.equal(statusesToReport([keep], new Map()), undefined));
  it('has the known names beside the new', () =>
    assert.deepEqual(
      statusesToReport([keep, report], new Map([['i', 'p-i-x']]))?.map(({ resourceClaimName }) => resourceClaimName),
      ['p-g-x', 'p-h-x'],
    ));
});

describe('claimsToReserve', () => {
  const allocated = { status: { allocation: {} } };
  const reserved = { status: { allocation: {}, reservedFor: [{ resource: 'pods', name: 'p', uid: 'uid-p' }] } };
  for (const [what, nodeName, status, expected] of [
    ['without a node', undefined, allocated, 0],
    ['on a node', 'n1', allocated, 1],
    ['on a node, reserved', 'n1', reserved, 0],
    ['on a node, not allocated', 'n1', {}, 0],
  ] as const) {
    it(`a pod ${what}: ${expected}`, () => {
      const given = pod(of('g'), { g: 'p-g-x' }, nodeName);
      assert.equal(claimsToReserve(seen(given, [claim('p-g-x', status)])).length, expected);
    });
  }
});

describe('the claims of a pod on a node', () => {
  const allocated = { status: { allocation: {} } };
  const mine = (name: string) => ({ name, resourceClaimName: `mine-${name}` });
  const others = Array.from({ length: 256 }, (_, index) => ({ resource: 'pods', name: 'q', uid: `uid-q${index}` }));
  const known = { g: 'p-g-x', h: 'p-h-x' };
  const ofG = claim('p-g-x', allocated);
  const ofH = claim('p-h-x', { ...allocated, entry: 'h' });
  for (const [what, given, claims, expected] of [
    ['all of them', pod(of('g', 'h'), known, 'n1'), [ofG, ofH], ['p-g-x', 'p-h-x']],
    ['a claim of a user', pod([mine('g')], {}, 'n1'), [claim('mine-g', { ...allocated, uid: 'x' })], ['mine-g']],
    ['not one that is not needed', pod(of('g', 'h'), { ...known, g: undefined }, 'n1'), [ofG, ofH], ['p-h-x']],
    ['none after one that is not made', pod(of('g', 'h'), { h: 'p-h-x' }, 'n1'), [ofH], []],
    ['none after one that is gone', pod(of('g', 'h'), known, 'n1'), [ofH], []],
    [
      'none after one of another pod',
      pod(of('g', 'h'), known, 'n1'),
      [claim('p-g-x', { ...allocated, uid: 'other' }), ofH],
      [],
    ],
    [
      'not one that has as many consumers as it may',
      pod(of('g', 'h'), known, 'n1'),
      [claim('p-g-x', { status: { allocation: {}, reservedFor: others } }), ofH],
      ['p-h-x'],
    ],
    ['not one without a status', pod(of('g'), known, 'n1'), [withoutStatus(ofG)], []],
  ] as const) {
    it(`are reserved: ${what}`, () => {
      const names = claimsToReserve(seen(given, claims)).map(({ metadata }) => metadata.name);
      assert.deepEqual(names, expected);
    });
  }

  it('get the pod beside their consumers', () => {
    const consumer = { resource: 'pods', name: 'p', uid: 'uid-p' };
    const [other] = others;
    const shared = claim('c', { status: { allocation: {}, reservedFor: others.slice(0, 1) } });
    assert.deepEqual(reservedFor(shared, pod([])).status, { allocation: {}, reservedFor: [other, consumer] });
    assert.deepEqual(reservedFor(withoutStatus(ofG), pod([])).status, { reservedFor: [consumer] });
  });
});

function withoutStatus({ status: _, ...others }: ResourceClaim): ResourceClaim {
  return others;
}

describe('generatedPrefix', () => {
  for (const [podName, entry, expected] of [
    ['p', 'g', 'p-g-'],
    ['p'.repeat(60), 'g'.repeat(60), `${'p'.repeat(28)}-${'g'.repeat(28)}`],
  ] as const) {
    it(expected, () => assert.equal(generatedPrefix(podName, entry), expected));
  }
});
