import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Indexer } from '@binnacle/client/cache';
import { finish } from '@binnacle/apimachinery/work';
import type { Endpoints, EndpointSubset, Pod, Service } from '@binnacle/client/kinds/core/v1';
import {
  changesEndpoints,
  endpointKey,
  hasAddress,
  hasOwnEndpoints,
  isSameEndpoint,
  podIndexes,
  podsOf,
  podTargets,
  repackSubsets,
  serviceIndexes,
  servicesOf,
} from './index.js';

type Labels = { readonly [key: string]: string };

const pod = (name: string, labels: Labels, traits: Partial<Pod> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...traits,
  metadata: { name, namespace: 'ns', labels, ...traits.metadata },
});

const service = (
  name: string,
  selector?: Labels,
  type: NonNullable<Service['spec']>['type'] = 'ClusterIP',
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'ns' },
  spec: { type, ...(selector === undefined ? {} : { selector }) },
});

describe('services with own endpoints', () => {
  for (const [what, given, expected] of [
    ['has a selector', service('a', { app: 'web' }), true],
    ['has no selector', service('a'), false],
    ['has an empty selector', service('a', {}), false],
    ['is of type ExternalName', service('a', { app: 'web' }, 'ExternalName'), false],
  ] as const) {
    it(`${expected ? 'include' : 'exclude'} one that ${what}`, () => assert.equal(hasOwnEndpoints(given), expected));
  }
});

describe('pods with an address', () => {
  for (const [what, status, expected] of [
    ['nothing', {}, false],
    ['one address', { podIP: '10.0.0.1' }, true],
    ['a list of addresses', { podIPs: [{ ip: '10.0.0.1' }] }, true],
    ['an address after it has failed', { podIP: '10.0.0.1', phase: 'Failed' }, false],
    ['an address after it has succeeded', { podIP: '10.0.0.1', phase: 'Succeeded' }, false],
  ] as const) {
    it(`${expected ? 'include' : 'exclude'} one with ${what}`, () =>
      assert.equal(hasAddress(pod('a', {}, { status })), expected));
  }
});

describe('changesEndpoints', () => {
  const ready = (status: 'True' | 'False') => ({ conditions: [{ type: 'Ready', status }] });
  const base = pod('a', { app: 'web' }, { status: { ...ready('True'), podIPs: [{ ip: '10.0.0.1' }] } });
  for (const [what, after, expected] of [
    ['nothing', base, false],
    ['the phase', { ...base, status: { ...base.status, phase: 'Running' } }, false],
    ['annotations', { ...base, metadata: { ...base.metadata, annotations: { a: 'b' } } }, false],
    ['labels', { ...base, metadata: { ...base.metadata, labels: { app: 'other' } } }, true],
    ['readiness', { ...base, status: { ...base.status, ...ready('False') } }, true],
    ['addresses', { ...base, status: { ...base.status, podIPs: [] } }, true],
    ['hostname', { ...base, spec: { containers: [], hostname: 'a' } }, true],
    ['the deletion', { ...base, metadata: { ...base.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }, true],
  ] as const) {
    it(`${expected ? 'passes' : 'drops'} a change of ${what}`, () =>
      assert.equal(changesEndpoints({ type: 'update', before: base, object: after }), expected));
  }

  it('passes creations and deletions, and drops resyncs', () => {
    assert.ok(changesEndpoints({ type: 'create', object: base, isInInitialList: true }));
    assert.ok(changesEndpoints({ type: 'delete', object: base, finalStateUnknown: false }));
    assert.ok(!changesEndpoints({ type: 'resync', object: base }));
  });
});

describe('the selection of pods', () => {
  const names = (objects: readonly { readonly metadata?: { readonly name?: string }; readonly name?: string }[]) =>
    objects.map(({ metadata, name }) => metadata?.name ?? name ?? '').sort();
  const pods = new Indexer<Pod>(podIndexes);
  for (const each of [
    pod('one', { app: 'web', tier: 'x' }),
    pod('two', { app: 'web' }),
    pod('other', { app: 'db', tier: 'x' }),
    pod('foreign', { app: 'web' }, { metadata: { namespace: 'far' } }),
  ]) {
    pods.set(each);
  }
  const services = new Indexer<Service>(serviceIndexes);
  for (const each of [service('web', { app: 'web' }), service('both', { tier: 'x', app: 'web' }), service('none')]) {
    services.set(each);
  }

  it('finds the pods of a service by all labels of its selector, in its namespace', () => {
    assert.deepEqual(names(podsOf(pods, service('web', { app: 'web' }))), ['one', 'two']);
    assert.deepEqual(names(podsOf(pods, service('both', { app: 'web', tier: 'x' }))), ['one']);
    assert.deepEqual(podsOf(pods, service('none')), []);
  });

  it('finds the services of a pod', () => {
    assert.deepEqual(names(servicesOf(services, pod('p', { app: 'web', tier: 'x' }))), ['both', 'web']);
    assert.deepEqual(names(servicesOf(services, pod('p', { app: 'web', tier: 'y' }))), ['web']);
    assert.deepEqual(servicesOf(services, pod('p', { app: 'db' })), []);
    assert.deepEqual(servicesOf(services, pod('p', { app: 'web' }, { metadata: { namespace: 'far' } })), []);
  });
});

describe('podTargets', () => {
  const container = (name: string, port: number, restartPolicy?: string) => ({
    name: 'c',
    ports: [{ name, containerPort: port }],
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const given = pod(
    'a',
    {},
    {
      spec: {
        containers: [container('http', 8080)],
        initContainers: [container('init', 1), container('sidecar', 9090, 'Always')],
      },
    },
  );
  for (const [what, port, expected] of [
    ['a number', { port: 80, targetPort: 81 }, 81],
    ['the name of a container port', { port: 80, targetPort: 'http' }, 8080],
    ['a name of another protocol', { port: 80, targetPort: 'http', protocol: 'UDP' }, undefined],
    ['the name of a port of a sidecar', { port: 80, targetPort: 'sidecar' }, 9090],
    ['the name of a port of an init container', { port: 80, targetPort: 'init' }, undefined],
    ['an unknown name', { port: 80, targetPort: 'https' }, undefined],
  ] as const) {
    it(`resolves ${what}`, () => assert.equal(podTargets([port])(given).numberOf(port), expected));
  }
});

describe('repackSubsets', () => {
  const at = (ip: string) => ({ ip });
  const port = (number: number) => ({ port: number, protocol: 'TCP' as const });
  const cases: readonly (readonly [string, Endpoints['subsets'], readonly EndpointSubset[]])[] = [
    ['nothing', [], []],
    ['null lists', [{ addresses: [] }], []],
    [
      'addresses of one port',
      [
        { addresses: [at('10.0.0.2')], ports: [port(80)] },
        { addresses: [at('10.0.0.1')], notReadyAddresses: [at('10.0.0.3')], ports: [port(80)] },
      ],
      [{ addresses: [at('10.0.0.1'), at('10.0.0.2')], notReadyAddresses: [at('10.0.0.3')], ports: [port(80)] }],
    ],
    [
      'ports of one address',
      [
        { addresses: [at('10.0.0.1')], ports: [port(80)] },
        { addresses: [at('10.0.0.1')], ports: [port(81)] },
      ],
      [{ addresses: [at('10.0.0.1')], ports: [port(80), port(81)] }],
    ],
    [
      'an address that is both ready and not',
      [{ addresses: [at('10.0.0.1')], notReadyAddresses: [at('10.0.0.1')], ports: [port(80)] }],
      [{ notReadyAddresses: [at('10.0.0.1')], ports: [port(80)] }],
    ],
    [
      'subsets without ports',
      [{ addresses: [at('10.0.0.2')] }, { addresses: [at('10.0.0.1')] }],
      [{ addresses: [at('10.0.0.1'), at('10.0.0.2')] }],
    ],
  ];
  for (const [what, subsets, expected] of cases) {
    it(`packs ${what}`, () => {
      const packed = finish(repackSubsets(subsets ?? [])) ?? [];
      const ports = (list: EndpointSubset['ports']) => list?.toSorted((one, other) => one.port - other.port);
      assert.deepEqual(
        packed.map((subset) => (subset.ports === undefined ? subset : { ...subset, ports: ports(subset.ports) })),
        expected,
      );
      assert.deepEqual(finish(repackSubsets(packed)), packed);
    });
  }
});

describe('endpoints', () => {
  const targetRef = { kind: 'Pod', namespace: 'ns', name: 'a', uid: 'u' };
  const endpoint = { addresses: ['10.0.0.1'], conditions: { ready: true }, targetRef };

  it('replace one another by address, hostname and target', () => {
    assert.equal(endpointKey(endpoint), endpointKey({ ...endpoint, zone: 'z', conditions: { ready: false } }));
    assert.notEqual(endpointKey(endpoint), endpointKey({ ...endpoint, hostname: 'a' }));
    assert.notEqual(endpointKey(endpoint), endpointKey({ ...endpoint, targetRef: { ...targetRef, name: 'b' } }));
  });

  for (const [what, other, expected] of [
    ['hints', { hints: { forZones: [{ name: 'z' }] } }, true],
    ['the version of its target', { targetRef: { ...targetRef, resourceVersion: '7' } }, true],
    ['the uid of its target', { targetRef: { ...targetRef, uid: 'v' } }, false],
    ['its zone', { zone: 'z' }, false],
    ['its node', { nodeName: 'n' }, false],
    ['a condition', { conditions: { ready: true, serving: true } }, false],
  ] as const) {
    it(`${expected ? 'are equal' : 'differ'} if one has other ${what}`, () =>
      assert.equal(isSameEndpoint(endpoint, { ...endpoint, ...other }), expected));
  }
});
