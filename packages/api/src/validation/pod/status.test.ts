import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ContainerExtendedResourceRequest,
  ContainerStatus,
  HostIP,
  Pod,
  PodCondition,
  PodIP,
  PodSpec,
  PodStatus,
} from '../../generated/types/core-v1.js';
import { container, podSpec, texts } from '../rules.testing.js';
import { validatePodStatusUpdate } from './status.js';

const pod = (status: PodStatus, fields: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' },
  spec: podSpec({ nodeName: 'n', ...fields }),
  status,
});
const update = (status: PodStatus, old: PodStatus = {}, fields: Partial<PodSpec> = {}): string[] =>
  texts(validatePodStatusUpdate(pod(status, fields), pod(old, fields)));

const linux = (uid: number, ...supplementalGroups: number[]): PodStatus => ({
  containerStatuses: [{ ...ended('c'), user: { linux: { uid, gid: 0, supplementalGroups } } }],
});
function ended(name: string, exitCode = 0): ContainerStatus {
  return { name, image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated: { exitCode } } };
}
const running = (name: string): ContainerStatus => ({ ...ended(name), state: { running: {} } });
const requests = { requests: { 'a.b/c': '1' } };

const cases: readonly [what: string, status: PodStatus, expected: readonly string[], spec?: Partial<PodSpec>][] = [
  ['a condition of the system', { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] }, []],
  [
    'a condition before its time',
    { conditions: [{ type: 'x.y/z', status: 'True', observedGeneration: -1 }], observedGeneration: -1 },
    [
      'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
      'status.observedGeneration: Invalid value: -1: must be a non-negative integer',
    ],
  ],
  [
    'a nomination of a pod that has a node',
    { nominatedNodeName: 'm' },
    ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
  ],
  ['a nomination', { nominatedNodeName: 'm' }, [], { nodeName: undefined }],
  [
    'a claim that the pod does not have',
    { resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'd' }, { name: 'other' }, { name: 'c' }] },
    [
      'status.resourceClaimStatuses[1].name: Invalid value: "other": must match the name of an entry in `spec.resourceClaims`',
      'status.resourceClaimStatuses[2].name: Duplicate value: "c"',
    ],
    { resourceClaims: [{ name: 'c', resourceClaimTemplateName: 't' }] },
  ],
  [
    'an extended claim of nothing',
    { extendedResourceClaimStatus: { resourceClaimName: '', requestMappings: [] } },
    [
      'status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required',
      'status.extendedResourceClaimStatus.resourceClaimName: Required value',
    ],
  ],
  [
    'an extended claim',
    {
      extendedResourceClaimStatus: {
        resourceClaimName: 'd',
        requestMappings: [
          { containerName: 'c', resourceName: 'a.b/c', requestName: 'r' },
          { containerName: 'c', resourceName: 'constructor', requestName: 'r' },
          { containerName: 'no', resourceName: 'a.b/c', requestName: 'r' },
        ],
      },
    },
    [
      'status.extendedResourceClaimStatus.requestMappings[1].resourceName: Invalid value: "constructor": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests',
      'status.extendedResourceClaimStatus.requestMappings[2].containerName: Invalid value: "no": must match the name of an entry in spec.initContainers.name or spec.containers.name',
    ],
    { containers: [container({ resources: requests })] },
  ],
  [
    'two addresses of one host',
    { hostIP: '1.2.3.4', hostIPs: [{ ip: '1.2.3.5' }] },
    ['status.hostIPs[0].ip: Invalid value: "1.2.3.5": must be equal to `hostIP`'],
  ],
  ['a user', linux(1, 2), []],
  [
    'an invalid user',
    linux(-1, 0, -1),
    [
      'status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'status.containerStatuses[0].user.linux.supplementalGroups[1]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
    ],
  ],
];

for (const [what, status, expected, spec] of cases) {
  test(`the status of a pod: ${what}`, () => assert.deepEqual(update(status, {}, spec), expected));
}

test('a terminated container stays terminated unless it is restarted', () => {
  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [7] } }];
  const spec: Partial<PodSpec> = {
    restartPolicy: 'Never',
    containers: [container(), container({ name: 'ruled', restartPolicy: 'Never', restartPolicyRules: rules })],
    initContainers: [container({ name: 'once' }), container({ name: 'sidecar', restartPolicy: 'Always' })],
  };
  const revive = (
    part: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
    name: string,
    exitCode = 0,
  ) => update({ [part]: [running(name)] }, { [part]: [ended(name, exitCode)] }, spec).length;
  assert.equal(revive('containerStatuses', 'c'), 1);
  assert.equal(revive('containerStatuses', 'ruled', 1), 1);
  assert.equal(revive('containerStatuses', 'ruled', 7), 0);
  assert.equal(revive('initContainerStatuses', 'once'), 1);
  assert.equal(revive('initContainerStatuses', 'sidecar'), 0);
  assert.equal(revive('ephemeralContainerStatuses', 'e'), 1);
});

test('texts that clients leave out are empty', () => {
  const mapping = { containerName: 'c', resourceName: 'a.b/c' } as ContainerExtendedResourceRequest;
  const status: PodStatus = {
    conditions: [{ status: 'True' } as PodCondition],
    hostIPs: [{} as HostIP],
    podIPs: [{} as PodIP],
    extendedResourceClaimStatus: { resourceClaimName: 'x', requestMappings: [mapping] },
  };
  const fields = update(status, {}, { containers: [container({ resources: requests })] }).map(
    (text) => text.split(': ')[0],
  );
  assert.deepEqual(
    [...new Set(fields)],
    [
      'status.conditions[0].Type',
      'status.extendedResourceClaimStatus.requestName',
      'status.podIPs[0]',
      'status.hostIPs[0]',
    ],
  );
});
