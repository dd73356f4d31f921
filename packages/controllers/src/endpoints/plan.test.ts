import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { Endpoints, EndpointSubset, Pod, Service } from '@binnacle/client/kinds/core/v1';
import { planEndpoints } from './plan.js';
import { truncated } from './truncate.js';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const OVER = 'endpoints.kubernetes.io/over-capacity';
const time = '2026-01-01T00:00:00Z';

const service = (spec: Service['spec'] = {}, labels?: { readonly [key: string]: string }): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'ns', ...(labels === undefined ? {} : { labels }) },
  spec: {
    selector: { app: 'web' },
    clusterIP: '10.0.0.1',
    ipFamilies: ['IPv4'],
    ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
    ...spec,
  },
});

const pod = (name: string, ip: string, ready = true, traits: Partial<Pod> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...traits.metadata },
  spec: { containers: [], nodeName: 'node', ...traits.spec },
  status: {
    podIPs: [{ ip }, { ip: 'fd00::1' }],
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    ...traits.status,
  },
});

const address = (name: string, ip: string) => ({
  ip,
  nodeName: 'node',
  targetRef: { kind: 'Pod', namespace: 'ns', name, uid: `uid-${name}` },
});

const plan = (given: Service, pods: readonly Pod[], current?: Endpoints, triggerTime?: string) =>
  finish(planEndpoints({ service: given, pods, current, triggerTime }));

const countSteps = <T>(work: Steps<T>) => {
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done === true) return { value: step.value, steps };
  }
};

const port = { port: 8080, protocol: 'TCP' };
const deleted = { deletionTimestamp: time };

describe('the subsets of Endpoints', () => {
  for (const [what, given, pods, expected] of [
    ['no pods', service(), [], undefined],
    [
      'a ready and an unready pod',
      service(),
      [pod('a', '10.9.0.1'), pod('b', '10.9.0.2', false)],
      [{ addresses: [address('a', '10.9.0.1')], notReadyAddresses: [address('b', '10.9.0.2')], ports: [port] }],
    ],
    [
      'unready pods that are published',
      service({ publishNotReadyAddresses: true }),
      [pod('b', '10.9.0.2', false, { metadata: { ...deleted, name: 'b', namespace: 'ns', uid: 'uid-b' } })],
      [{ addresses: [address('b', '10.9.0.2')], ports: [port] }],
    ],
    ['a pod that is being deleted', service(), [pod('a', '10.9.0.1', true, { metadata: deleted })], undefined],
    [
      'a pod that has ended',
      service(),
      [pod('a', '10.9.0.1', true, { status: { phase: 'Failed', podIP: '10.9.0.1' } })],
      undefined,
    ],
    [
      'a headless service without ports',
      service({ clusterIP: 'None', ports: [] }),
      [pod('a', '10.9.0.1')],
      [{ addresses: [address('a', '10.9.0.1')] }],
    ],
    ['a service without ports', service({ ports: [] }), [pod('a', '10.9.0.1')], undefined],
    [
      'the second family',
      service({ ipFamilies: ['IPv6', 'IPv4'] }),
      [pod('a', '10.9.0.1')],
      [{ addresses: [address('a', 'fd00::1')], ports: [port] }],
    ],
    [
      'a pod without an address of the family',
      service({ ipFamilies: ['IPv6'] }),
      [pod('a', '10.9.0.1', true, { status: { podIPs: [{ ip: '10.9.0.1' }] } })],
      undefined,
    ],
    [
      'a port that no container names',
      service({ ports: [{ port: 80, targetPort: 'http' }] }),
      [pod('a', '10.9.0.1')],
      undefined,
    ],
    [
      'a pod without a node',
      service(),
      [pod('a', '10.9.0.1', true, { spec: { containers: [], nodeName: '' } })],
      [{ addresses: [{ ...address('a', '10.9.0.1'), nodeName: '' }], ports: [port] }],
    ],
    [
      'a pod with a hostname',
      service(),
      [pod('a', '10.9.0.1', true, { spec: { containers: [], nodeName: 'node', hostname: 'h', subdomain: 'web' } })],
      [{ addresses: [{ ...address('a', '10.9.0.1'), hostname: 'h' }], ports: [port] }],
    ],
  ] as const) {
    it(`are right for ${what}`, () => assert.deepEqual(plan(given, pods)?.subsets, expected));
  }
});

describe('Endpoints', () => {
  it('have the labels of the service and the trigger time', () => {
    assert.deepEqual(plan(service({}, { app: 'web' }), [], undefined, time), {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: {
        name: 'web',
        namespace: 'ns',
        labels: { app: 'web', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
        annotations: { [TRIGGER]: time },
      },
    });
  });

  const current = plan(service({}, { app: 'web' }), [pod('a', '10.9.0.1')], undefined, time);
  assert.ok(current !== undefined);
  const withSubsets = (subsets: readonly EndpointSubset[]): Endpoints => ({ ...current, subsets });
  const withLabels = (labels: object): Endpoints => ({
    ...current,
    metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...labels } },
  });
  for (const [what, present, changes] of [
    ['nothing', current, false],
    ['the trigger time', { ...current, metadata: { ...current.metadata, annotations: { [TRIGGER]: 'older' } } }, false],
    [
      'the version of a target',
      withSubsets([
        {
          addresses: [
            { ...address('a', '10.9.0.1'), targetRef: { ...address('a', '').targetRef, resourceVersion: '7' } },
          ],
          ports: [{ ...port, protocol: 'TCP' }],
        },
      ]),
      false,
    ],
    ['the label of headless services', withLabels({ 'service.kubernetes.io/headless': '' }), false],
    [
      'an address',
      withSubsets([{ addresses: [address('a', '10.9.0.7')], ports: [{ ...port, protocol: 'TCP' }] }]),
      true,
    ],
    [
      'readiness',
      withSubsets([{ notReadyAddresses: [address('a', '10.9.0.1')], ports: [{ ...port, protocol: 'TCP' }] }]),
      true,
    ],
    ['a label', withLabels({ app: 'other' }), true],
    ['one more label', withLabels({ tier: 'x' }), true],
    ['the manager', withLabels({ 'endpoints.kubernetes.io/managed-by': 'other' }), true],
    [
      'the mark of being over capacity',
      { ...current, metadata: { ...current.metadata, annotations: { [OVER]: 'truncated' } } },
      true,
    ],
  ] as const) {
    it(`are ${changes ? 'written' : 'left'} if they differ by ${what}`, () => {
      const wanted = plan(service({}, { app: 'web' }), [pod('a', '10.9.0.1')], present);
      assert.equal(wanted !== undefined, changes);
      if (wanted !== undefined)
        assert.deepEqual([wanted.subsets, wanted.metadata.labels], [current.subsets, current.metadata.labels]);
    });
  }

  it('keep their version and other annotations, and lose an old trigger time', () => {
    const present = {
      ...withSubsets([]),
      metadata: { ...current.metadata, resourceVersion: '5', annotations: { a: 'b', [TRIGGER]: time } },
    };
    const wanted = plan(service({}, { app: 'web' }), [pod('a', '10.9.0.1')], present);
    assert.equal(wanted?.metadata.resourceVersion, '5');
    assert.deepEqual(wanted.metadata.annotations, { a: 'b' });
  });

  it('have a label if the service is headless', () => {
    const labels = plan(service({ clusterIP: 'None' }), [])?.metadata.labels;
    assert.equal(labels?.['service.kubernetes.io/headless'], '');
    const before = service({}, { 'service.kubernetes.io/headless': 'mine' });
    assert.equal(plan(before, [])?.metadata.labels?.['service.kubernetes.io/headless'], undefined);
  });

  it('hold 1000 addresses at most, and are then content', () => {
    const pods = Array.from({ length: 1001 }, (_, index) => pod(`p${index}`, `10.9.${index >> 8}.${index & 255}`));
    const wanted = plan(service(), pods);
    assert.equal(wanted?.subsets?.[0]?.addresses?.length, 1000);
    assert.equal(wanted.metadata.annotations?.[OVER], 'truncated');
    assert.equal(plan(service(), pods, wanted), undefined);
    assert.equal(plan(service(), pods.slice(1), wanted)?.metadata.annotations, undefined);
  });
});

describe('truncated', () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: `10.0.0.${index}` }));
  const subset = (ready: number, notReady: number): EndpointSubset => ({
    ...(ready === 0 ? {} : { addresses: list(ready) }),
    ...(notReady === 0 ? {} : { notReadyAddresses: list(notReady) }),
  });
  const counts = (subsets: readonly EndpointSubset[]) =>
    subsets.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length]);
  for (const [what, before, after] of [
    ['what fits', [[6, 4]], [[6, 4]]],
    ['only unready addresses if the ready ones fit', [[6, 8]], [[6, 4]]],
    ['all unready and some ready addresses', [[12, 3]], [[10, 0]]],
    [
      'in proportion',
      [
        [15, 0],
        [5, 0],
      ],
      [
        [8, 0],
        [2, 0],
      ],
    ],
    [
      'unready ones in proportion',
      [
        [2, 6],
        [2, 6],
      ],
      [
        [2, 3],
        [2, 3],
      ],
    ],
  ] as const) {
    it(`keeps or cuts ${what}`, () =>
      assert.deepEqual(
        counts(
          truncated(
            before.map(([ready, notReady]) => subset(ready, notReady)),
            10,
          ),
        ),
        after,
      ));
  }
});

describe('large Endpoints', () => {
  const large = (pods: readonly Pod[], current?: Endpoints) =>
    planEndpoints({ service: service(), pods, current, triggerTime: undefined });

  it('are planned in steps of about a thousand pods', () => {
    const pods = Array.from({ length: 20_000 }, (_, index) => pod(`p${index}`, `10.9.${index >> 8}.${index & 255}`));
    const { value, steps } = countSteps(large(pods));
    assert.ok(steps >= 20, `there are ${steps} steps`);
    const ips = pods.map(({ status }) => status?.podIPs?.[0]?.ip ?? '').sort();
    assert.deepEqual(
      value?.subsets?.[0]?.addresses?.map(({ ip }) => ip),
      ips.slice(0, 1000),
    );
    assert.equal(countSteps(large(pods, value)).value, undefined);
  });

  it('of a user are compared without counting their addresses by port', () => {
    const addresses = Array.from({ length: 2000 }, (_, index) => ({ ip: `10.8.${index >> 8}.${index & 255}` }));
    const ports = Array.from({ length: 1000 }, (_, index) => ({ port: index + 1, protocol: 'TCP' as const }));
    const own = ports.map((each) => ({ addresses: [{ ip: `10.7.0.${each.port & 255}` }], ports: [each] }));
    const current = plan(service(), [pod('a', '10.9.0.1')]);
    assert.ok(current !== undefined);
    const { value, steps } = countSteps(
      large([pod('a', '10.9.0.1')], { ...current, subsets: [{ addresses, ports }, ...own] }),
    );
    assert.deepEqual(value?.subsets, current.subsets);
    assert.ok(steps < 10, `there are ${steps} steps`);
  });
});
