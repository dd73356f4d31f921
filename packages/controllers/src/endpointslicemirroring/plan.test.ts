import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { Endpoints, Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { isMirrored, MANAGER, planMirror as mirrorSteps } from './plan.js';

const planMirror = (...given: Parameters<typeof mirrorSteps>) => finish(mirrorSteps(...given));

const port = { port: 8080, protocol: 'TCP' } as const;

const endpoints = (subsets: Endpoints['subsets'], metadata: Endpoints['metadata'] = {}): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'web', namespace: 'ns', uid: 'u', ...metadata },
  ...(subsets === undefined ? {} : { subsets }),
});

const one = endpoints([{ addresses: [{ ip: '10.9.0.9' }], notReadyAddresses: [{ ip: '10.9.0.8' }], ports: [port] }]);

function mirrored(given: Endpoints, ...names: string[]): EndpointSlice[] {
  return planMirror(given, []).creates.map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: names[index] ?? `s${index}`, resourceVersion: '1' },
  }));
}

const names = (slices: readonly EndpointSlice[]) => slices.map(({ metadata }) => metadata.name);
const texts = (slices: readonly EndpointSlice[]) =>
  slices.map((slice) => `${slice.addressType}: ${slice.endpoints?.flatMap(({ addresses }) => addresses).join(' ')}`);

describe('isMirrored', () => {
  const service = (selector?: { readonly [key: string]: string }): Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: selector === undefined ? {} : { selector },
  });
  const labelled = endpoints([], { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } });
  const lock = endpoints([], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } });
  for (const [what, given, of, expected] of [
    ['Endpoints of a service without a selector', one, service(), true],
    ['Endpoints of a service with a selector', one, service({ app: 'web' }), false],
    ['Endpoints without a service', one, undefined, false],
    ['Endpoints that ask to be left alone', labelled, service(), false],
    ['the lock of a leader', lock, service(), false],
  ] as const) {
    it(`is ${expected} for ${what}`, () => assert.equal(isMirrored(given, of), expected));
  }
});

describe('planMirror', () => {
  it('creates the slice that upstream would create', () => {
    const annotations = {
      note: 'y',
      'endpoints.kubernetes.io/last-change-trigger-time': 'now',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    const given = endpoints(one.subsets, { labels: { app: 'web' }, annotations });
    assert.deepEqual(planMirror(given, []), {
      creates: [
        {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: {
            generateName: 'web-',
            namespace: 'ns',
            labels: {
              app: 'web',
              'kubernetes.io/service-name': 'web',
              'endpointslice.kubernetes.io/managed-by': MANAGER,
            },
            annotations: { note: 'y' },
            ownerReferences: [
              {
                apiVersion: 'v1',
                kind: 'Endpoints',
                name: 'web',
                uid: 'u',
                controller: true,
                blockOwnerDeletion: true,
              },
            ],
          },
          addressType: 'IPv4',
          endpoints: [
            { addresses: ['10.9.0.9'], conditions: { ready: true } },
            { addresses: ['10.9.0.8'], conditions: { ready: false } },
          ],
          ports: [{ name: '', protocol: 'TCP', port: 8080 }],
        },
      ],
      updates: [],
      deletes: [],
      warnings: [],
    });
  });

  it('makes one slice for each set of ports and type of addresses', () => {
    const given = endpoints([
      { addresses: [{ ip: '10.9.0.1' }, { ip: 'fd00::1' }], ports: [port] },
      { addresses: [{ ip: '10.9.0.2', hostname: 'h', nodeName: 'n' }], ports: [{ port: 81, protocol: 'TCP' }] },
    ]);
    const { creates } = planMirror(given, []);
    assert.deepEqual(texts(creates).sort(), ['IPv4: 10.9.0.1', 'IPv4: 10.9.0.2', 'IPv6: fd00::1']);
    const [last] = creates.filter(({ ports }) => ports?.[0]?.port === 81);
    assert.deepEqual(last?.endpoints, [
      { addresses: ['10.9.0.2'], conditions: { ready: true }, hostname: 'h', nodeName: 'n' },
    ]);
  });

  for (const [what, before, after, expected] of [
    ['leaves a slice that is right', one, one, { creates: 0, updates: [], deletes: [] }],
    [
      'rewrites a slice whose addresses change',
      one,
      endpoints([{ addresses: [{ ip: '10.9.0.9' }], ports: [port] }]),
      { creates: 0, updates: ['s0'], deletes: [] },
    ],
    [
      'rewrites a slice whose labels change',
      one,
      endpoints(one.subsets, { labels: { a: 'b' } }),
      { creates: 0, updates: ['s0'], deletes: [] },
    ],
    [
      'rewrites a slice whose annotations change',
      endpoints(one.subsets, { annotations: { a: 'b' } }),
      one,
      { creates: 0, updates: ['s0'], deletes: [] },
    ],
    [
      'rewrites a slice of re-created Endpoints',
      endpoints(one.subsets, { uid: 'earlier' }),
      one,
      { creates: 0, updates: ['s0'], deletes: [] },
    ],
    [
      'rewrites a slice whose ports change',
      one,
      endpoints([{ addresses: [{ ip: '10.9.0.9' }], ports: [{ port: 1, protocol: 'TCP' }] }]),
      { creates: 0, updates: ['s0'], deletes: [] },
    ],
    ['deletes slices when addresses go', one, endpoints([]), { creates: 0, updates: [], deletes: ['s0'] }],
    [
      'makes a slice of another type',
      one,
      endpoints([{ addresses: [{ ip: 'fd00::1' }], ports: [port] }]),
      { creates: 1, updates: [], deletes: ['s0'] },
    ],
  ] as const) {
    it(what, () => {
      const { creates, updates, deletes } = planMirror(after, mirrored(before));
      assert.deepEqual({ creates: creates.length, updates: names(updates), deletes: names(deletes) }, expected);
      for (const { metadata } of updates)
        assert.deepEqual([metadata.generateName, metadata.resourceVersion], [undefined, '1']);
    });
  }

  it('deletes a second slice of the same ports', () => {
    const [first] = mirrored(one, 'first');
    const [second] = mirrored(one, 'second');
    assert.ok(first !== undefined && second !== undefined);
    const { creates, updates, deletes } = planMirror(one, [first, second]);
    assert.deepEqual([creates, updates, names(deletes)], [[], [], ['second']]);
  });

  it('skips invalid addresses and those beyond the maximum, and warns', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => ({ ip: `10.9.0.${index + 1}` }));
    const invalid = { ip: 'nowhere' };
    const wrong = planMirror(endpoints([{ addresses: [...list(2), invalid], ports: [port] }]), [], 4);
    assert.deepEqual(wrong.warnings, [
      { reason: 'InvalidIPAddress', message: 'Skipped 1 invalid IP addresses when mirroring to EndpointSlices' },
    ]);
    const many = planMirror(endpoints([{ addresses: list(6), notReadyAddresses: [invalid], ports: [port] }]), [], 4);
    assert.equal(many.creates[0]?.endpoints?.length, 4);
    assert.deepEqual(many.warnings, [
      {
        reason: 'TooManyAddressesToMirror',
        message:
          'A max of 4 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped',
      },
    ]);
  });

  it('mirrors 1000 addresses for each port of large Endpoints, in steps', () => {
    const addresses = Array.from({ length: 4000 }, (_, index) => ({ ip: `10.9.${index >> 8}.${index & 255}` }));
    const ports = Array.from({ length: 300 }, (_, index) => ({ port: index + 1, protocol: 'TCP' as const }));
    // Each port has an address of its own, so each has another set.
    const own = ports.map((each) => ({
      addresses: [{ ip: `11.0.${each.port >> 8}.${each.port & 255}` }],
      ports: [each],
    }));
    const work = mirrorSteps(endpoints([{ addresses, ports }, ...own]), []);
    let steps = 1;
    let step = work.next();
    for (; step.done !== true; step = work.next()) steps++;
    const { creates, warnings } = step.value;
    assert.deepEqual([creates.length, creates[7]?.endpoints?.length], [300, 1000]);
    assert.ok(warnings[0]?.message.includes(`${300 * 3001} addresses were skipped`));
    assert.ok(steps > 100, `there are ${steps} steps`);
    assert.equal(creates[0]?.endpoints?.[5], creates[1]?.endpoints?.[5], 'slices share their endpoints in memory');
  });
});
