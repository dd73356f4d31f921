import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Pod, PodSpec } from '@binnacle/client/kinds/core/v1';
import { rejectionOf } from './index.js';

const allocatable = { cpu: '1', memory: '1Gi', pods: '3' };
const labels = { 'kubernetes.io/os': 'linux', zone: 'a' };
const node = (taints: NonNullable<Node['spec']>['taints'] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels },
  spec: { taints },
  status: { allocatable },
});
const pod = (spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
});
const asking = (requests: Record<string, string>): Pod => pod({ containers: [{ name: 'c', resources: { requests } }] });
const withPort = (hostPort: number): Pod =>
  pod({ containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort }] }] });
const lack = (name: string, requested: number, used: number, capacity: number): [string, string] => [
  `OutOf${name}`,
  `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
];
const execute = { key: 'k', effect: 'NoExecute' } as const;

const cases: Record<string, [Pod, Node, Pod[], [string, string] | undefined]> = {
  'takes a pod without demands': [pod(), node(), [], undefined],
  'takes the last of its cpu': [asking({ cpu: '400m' }), node(), [asking({ cpu: '600m' })], undefined],
  'has too little cpu': [asking({ cpu: '500m' }), node(), [asking({ cpu: '600m' })], lack('cpu', 500, 600, 1000)],
  'has too little memory': [asking({ memory: '2Gi' }), node(), [], lack('memory', 2 ** 31, 0, 2 ** 30)],
  'has no storage': [asking({ 'ephemeral-storage': '1' }), node(), [], lack('ephemeral-storage', 1, 0, 0)],
  'does not count what belongs to the cluster': [asking({ 'example.com/lamp': '1' }), node(), [], undefined],
  'does not count what a claim for devices provides': [
    {
      ...asking({ 'example.com/gpu': '2' }),
      status: {
        extendedResourceClaimStatus: {
          resourceClaimName: 'claim',
          requestMappings: [{ containerName: 'c', resourceName: 'example.com/gpu', requestName: 'r' }],
        },
      },
    },
    { ...node(), status: { allocatable: { ...allocatable, 'example.com/gpu': '0' } } },
    [],
    undefined,
  ],
  'has too many pods': [pod(), node(), [pod(), pod(), pod()], lack('pods', 1, 3, 3)],
  'has other labels': [
    pod({ nodeSelector: { zone: 'b' } }),
    node(),
    [],
    ['NodeAffinity', "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector"],
  ],
  'has a pod with the port': [
    withPort(80),
    node(),
    [withPort(80)],
    ['NodePorts', "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports"],
  ],
  'has a pod with another port': [withPort(80), node(), [withPort(81)], undefined],
  'would evict the pod': [
    pod(),
    node([execute]),
    [],
    ['TaintToleration', 'Predicate TaintToleration failed: node(s) had untolerated taint(s)'],
  ],
  'takes a pod that tolerates its taint': [
    pod({ tolerations: [{ operator: 'Exists' }] }),
    node([execute]),
    [],
    undefined,
  ],
  'leaves other taints to the scheduler': [pod(), node([{ key: 'k', effect: 'NoSchedule' }]), [], undefined],
  'has another system than the label says': [
    pod({}, { labels: { 'kubernetes.io/os': 'windows' } }),
    node(),
    [],
    [
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    ],
  ],
  'has another system than the spec says': [
    pod({ os: { name: 'windows' } }),
    node(),
    [],
    ['PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS"],
  ],
};

describe('a node', () => {
  for (const [name, [wanted, on, others, expected]] of Object.entries(cases)) {
    it(name, () => {
      const rejection = rejectionOf(wanted, on, others);
      assert.deepEqual(rejection && [rejection.reason, rejection.message], expected);
    });
  }
});
