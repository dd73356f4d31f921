import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HorizontalPodAutoscaler } from '../../generated/types/autoscaling-v2.js';
import type { Lease } from '../../generated/types/coordination-v1.js';
import type { EndpointSlice } from '../../generated/types/discovery-v1.js';
import type { Ingress, NetworkPolicy } from '../../generated/types/networking-v1.js';
import {
  endpointSliceWarnings,
  networkPolicyWarnings,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerUpdate,
  validateIngress,
  validateIngressUpdate,
  validateLease,
  validateNetworkPolicy,
  validateNetworkPolicyUpdate,
} from '../index.js';
import { checkRule, checkUpdate, texts } from '../rules.testing.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' };

function fields<T>(given: Partial<T>): (object: T) => void {
  return (object) => Object.assign(object as object, given);
}

test('endpoint slices', () => {
  const slice: EndpointSlice = {
    metadata,
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'a' }] } }],
    ports: [{ name: 'p', protocol: 'TCP', port: 80 }],
  };
  checkRule(validateEndpointSlice, slice, [
    [
      fields<EndpointSlice>({
        ports: [{ name: 'p', protocol: 'X', port: 80 }],
        endpoints: [{ addresses: ['fd00::1', '127.0.0.1'] }],
      }),
      [
        'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
        'endpoints[0].addresses[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      fields<EndpointSlice>({ addressType: 'IPv6', endpoints: [{ addresses: ['fd00:0::1'] }] }),
      ['endpoints[0].addresses[0]: Invalid value: "fd00:0::1": must be in canonical form ("fd00::1")'],
    ],
    [
      fields<EndpointSlice>({
        endpoints: [
          {
            addresses: ['10.0.0.1'],
            hints: {
              forZones: [{ name: 'a' }, { name: 'a' }],
              forNodes: Array.from({ length: 9 }, () => ({ name: 'n' })),
            },
          },
        ],
      }),
      [
        'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
        'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
      ],
    ],
    [
      fields<EndpointSlice>({ addressType: 'FQDN', endpoints: [{ addresses: ['local', 'a.b.'] }] }),
      [
        'endpoints[0].addresses[0]: Invalid value: "local": should be a domain with at least two segments separated by dots',
      ],
    ],
  ]);
  const stored = structuredClone(slice);
  stored.endpoints = [{ addresses: ['010.0.0.1'] }];
  checkUpdate(validateEndpointSliceUpdate, stored, [
    [
      fields<EndpointSlice>({ endpoints: [{ addresses: ['010.0.0.1', '10.0.0.2'] }] }),
      ['endpoints[0].addresses[0]: Invalid value: "010.0.0.1": must not have leading 0s'],
    ],
    [fields<EndpointSlice>({ addressType: 'FQDN' }), ['addressType: Invalid value: "FQDN": field is immutable']],
  ]);
  assert.deepEqual(endpointSliceWarnings({ ...slice, addressType: 'FQDN' }, undefined), [
    'spec.addressType: FQDN endpoints are deprecated',
  ]);
  assert.equal(endpointSliceWarnings(stored, slice).length, 1);
  const labels = { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  assert.deepEqual(endpointSliceWarnings({ ...stored, metadata: { ...metadata, labels } }, slice), []);
});

test('network policies', () => {
  const policy: NetworkPolicy = {
    metadata,
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 80, endPort: 90, protocol: 'TCP' }] }],
    },
  };
  checkRule(validateNetworkPolicy, policy, [
    [
      ({ spec }) => Object.assign(spec?.ingress?.[0]?.ports?.[0] ?? {}, { endPort: 79 }),
      ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
    ],
    [
      ({ spec }) => Object.assign(spec?.ingress?.[0]?.from?.[0] ?? {}, { ipBlock: { cidr: '10.0.0.1/8' } }),
      [
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      ],
    ],
  ]);
  const stored = structuredClone(policy);
  Object.assign(stored.spec?.ingress?.[0]?.from?.[0] ?? {}, { ipBlock: { cidr: '10.0.0.1/8' } });
  assert.deepEqual(texts(validateNetworkPolicyUpdate(stored, stored)), []);
  assert.equal(networkPolicyWarnings(stored).length, 1);
  assert.deepEqual(networkPolicyWarnings(policy), []);
});

test('ingresses keep flaws that older servers accepted', () => {
  const backend = { service: { name: 's', port: { number: 80 } } };
  const ingress: Ingress = { metadata, spec: { defaultBackend: backend, tls: [{ secretName: 's' }] } };
  const wrong: Ingress = {
    metadata,
    spec: { defaultBackend: backend, tls: [{ secretName: 'S_' }], rules: [{ host: '*.a.b', http: { paths: [] } }] },
  };
  const said = texts(validateIngress(wrong));
  assert.equal(said[0], 'spec.rules[0].http.paths: Required value');
  assert.match(said[1] ?? '', /^spec\.tls\[0\]\.secretName: Invalid value: "S_": a lowercase RFC 1123 subdomain/);
  assert.deepEqual(texts(validateIngressUpdate(wrong, ingress)), said);
  assert.deepEqual(texts(validateIngressUpdate(wrong, wrong)), []);
});

test('horizontal pod autoscalers', () => {
  const autoscaler: HorizontalPodAutoscaler = {
    metadata,
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  };
  const spec = (given: object) => (object: HorizontalPodAutoscaler) => {
    Object.assign(object.spec ?? {}, given);
  };
  const target = { type: 'Utilization', averageUtilization: 50 };
  checkRule(validateHorizontalPodAutoscaler, autoscaler, [
    [spec({ maxReplicas: 0 }), ['spec.maxReplicas: Required value: must be set and greater than 0']],
    [spec({ maxReplicas: -1 }), ['spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1']],
    [
      spec({ metrics: [{ type: 'ContainerResource', containerResource: { name: 'pods', container: 'c', target } }] }),
      ['spec.metrics[0].containerResource.name: Invalid value: "pods": must be a standard resource for containers'],
    ],
  ]);
  const describedObject = { apiVersion: 'a/b/c', kind: 'K', name: 'n' };
  const object = { describedObject, metric: { name: 'm' }, target: { type: 'Value', value: '1' } };
  const stored = structuredClone(autoscaler);
  spec({ metrics: [{ type: 'Object', object }] })(stored);
  assert.deepEqual(texts(validateHorizontalPodAutoscalerUpdate(stored, autoscaler)), [
    'spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ]);
  assert.deepEqual(texts(validateHorizontalPodAutoscalerUpdate(stored, stored)), []);
});

test('leases', () => {
  const lease: Lease = { metadata, spec: { leaseDurationSeconds: 10, strategy: 'OldestEmulationVersion' } };
  checkRule(validateLease, lease, [
    [
      fields<Lease>({ spec: { strategy: 'X' } }),
      ['spec.strategy.strategy: Unsupported value: "X": supported values: "OldestEmulationVersion"'],
    ],
    [
      fields<Lease>({ spec: { preferredHolder: 'h', leaseTransitions: -1 } }),
      [
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
        'spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined',
      ],
    ],
  ]);
  assert.match(texts(validateLease({ metadata, spec: { strategy: 'a/b/c' } }))[0] ?? '', /^spec\.strategy: Invalid/);
});
