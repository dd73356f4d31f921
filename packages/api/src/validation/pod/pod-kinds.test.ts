import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod, PodSpec } from '../../generated/types/core-v1.js';
import { validatePod, validatePodEphemeralContainersUpdate, validatePodResize } from '../index.js';
import { checkRule, checkUpdate, container, podSpec, texts, type WrongCase } from '../rules.testing.js';

const metadata = { name: 'p', namespace: 'n', uid: 'u', resourceVersion: '1' };
const pod: Pod = { metadata, spec: podSpec() };

function spec(fields: Partial<PodSpec>): (object: Pod) => void {
  return (object) => Object.assign(object, { spec: { ...object.spec, ...fields } });
}

test('pods of Windows', () => {
  const options = (windowsOptions: object): PodSpec['containers'] => [
    container({ securityContext: { windowsOptions } }),
  ];
  const named = (runAsUserName: string, ...expected: string[]): WrongCase<Pod> => [
    spec({ containers: options({ runAsUserName }) }),
    expected.map((text) => {
      const field = 'spec.containers[0].securityContext.windowsOptions.runAsUserName';
      return `${field}: Invalid value: ${JSON.stringify(runAsUserName)}: ${text}`;
    }),
  ];
  checkRule(validatePod, pod, [
    named('NT AUTHORITY\\System'),
    named('', 'runAsUserName cannot be an empty string'),
    named('a\\b\\c', 'runAsUserName cannot contain more than one backslash'),
    named('a\tb', 'runAsUserName cannot contain control characters'),
    named(
      '.x|\\..',
      "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
      "runAsUserName's User cannot contain only periods or spaces",
    ),
    [
      spec({ containers: options({ gmsaCredentialSpec: '' }) }),
      [
        'spec.containers[0].securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
      ],
    ],
    [
      spec({ containers: [...options({ hostProcess: true }), container({ name: 'd' })] }),
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      ],
    ],
    [
      spec({
        hostNetwork: true,
        securityContext: { windowsOptions: { hostProcess: true } },
        containers: [...options({ hostProcess: false }), container({ name: 'd' })],
      }),
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ],
    ],
    [
      spec({ os: { name: 'linux' }, containers: options({}) }),
      ['spec.containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      spec({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { fsGroup: 1 },
        containers: [container({ securityContext: { privileged: true } })],
      }),
      [
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
      ],
    ],
    [spec({ os: { name: '' } }), ['spec.os.name: Required value']],
    [spec({ os: { name: 'dos' } }), ['spec.os: Unsupported value: "dos": supported values: "linux", "windows"']],
  ]);
});

test('pod-level resources', () => {
  const containers = [container({ resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } })];
  checkRule(validatePod, pod, [
    [spec({ containers, resources: { requests: { cpu: '2' }, limits: { cpu: '4' } } }), []],
    [
      spec({ containers, resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }),
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
        'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
      ],
    ],
    [
      spec({ resources: { limits: { 'ephemeral-storage': '1' }, claims: [{ name: 'c' }] }, resourceClaims: [] }),
      [
        'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
        'spec.resources.limits[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
        'spec.resources.claims[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    ],
    [
      spec({ containers: [container({ resources: { limits: { 'hugepages-2Mi': '3Mi', memory: '1Gi' } } })] }),
      [
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ],
    ],
    [
      spec({ os: { name: 'windows' }, resources: { limits: { cpu: '1' } } }),
      ['spec.resources: Forbidden: may not be set for a windows pod'],
    ],
  ]);
});

test('names, users and files of pods', () => {
  const env = [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'f', key: 'k' } } }];
  checkRule(validatePod, pod, [
    [
      spec({ hostnameOverride: 'a.b', setHostnameAsFQDN: true, hostNetwork: true }),
      [
        'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
        'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
      ],
    ],
    [spec({ hostUsers: false, hostIPC: true }), ['spec.HostIPC: Forbidden: when `hostUsers` is false']],
    [
      spec({ containers: [container({ env })] }),
      ['spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "v"'],
    ],
    [
      spec({ containers: [container({ env })], volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
      [
        'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir',
      ],
    ],
  ]);
});

test('volumes of every driver', () => {
  const volume = (source: object, ...expected: string[]): WrongCase<Pod> => [
    spec({ volumes: [{ name: 'v', ...source }] }),
    expected.map((text) => `spec.volumes[0].${text}`),
  ];
  const range = 'must be between 0 and 255, inclusive';
  checkRule(validatePod, pod, [
    volume(
      { gcePersistentDisk: { partition: 300 } },
      'persistentDisk.pdName: Required value',
      'persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
    ),
    volume(
      { iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true } },
      'iscsi.targetPortal: Required value',
      'iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      `iscsi.lun: Invalid value: 256: ${range}`,
      'iscsi.secretRef: Required value',
    ),
    volume({ iscsi: { targetPortal: 'p', iqn: 'iqn.2015-02.example.com:storage', lun: 0 } }),
    volume(
      { fc: { targetWWNs: ['a'], wwids: ['b'] } },
      'fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      'fc.lun: Required value: lun is required if targetWWNs is specified',
    ),
    volume({ flocker: {} }, 'flocker: Required value: one of datasetName and datasetUUID is required'),
    volume(
      { quobyte: { registry: 'a:1,b', volume: 'v' } },
      'quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas',
    ),
    volume(
      { flexVolume: { driver: 'd', options: { 'k8s.io/x': '1' } } },
      'flexVolume.options[k8s.io/x]: Invalid value: "k8s.io/x": kubernetes.io and k8s.io namespaces are reserved',
    ),
    volume(
      { azureDisk: { diskName: 'd', diskURI: 'x', kind: 'Managed' } },
      'azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ),
    volume(
      { storageos: { secretRef: {} } },
      'storageos.volumeName: Required value',
      'storageos.secretRef.name: Required value',
    ),
  ]);
});

const running: Pod = {
  metadata,
  spec: podSpec({
    containers: [container({ resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } })],
    initContainers: [
      container({ name: 'i', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    ],
  }),
  status: { qosClass: 'Burstable', containerStatuses: [] },
};

test('a resize changes only cpu and memory', () => {
  const first = (fields: object) => (object: Pod) => Object.assign(object.spec?.containers[0] ?? {}, fields);
  checkUpdate(validatePodResize, running, [
    [first({ resources: { requests: { cpu: '2' }, limits: { cpu: '3' } } }), []],
    [
      first({ resources: { requests: { cpu: '1' } } }),
      ['spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed'],
    ],
    [
      first({ resources: { requests: { cpu: '1', 'ephemeral-storage': '1' }, limits: { cpu: '2' } } }),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    [
      first({ resources: {} }),
      [
        'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
        'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
        'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
      ],
    ],
    [
      first({ name: 'd' }),
      ['spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
    ],
    [
      (object) => object.spec?.containers.push(container({ name: 'd' })),
      ['spec.containers: Forbidden: containers may not be added or removed on resize'],
    ],
    [
      (object) => Object.assign(object.spec?.initContainers?.[0] ?? {}, { resources: { requests: { cpu: '1' } } }),
      [
        'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
      ],
    ],
  ]);
  const mirror: Pod = { ...running, metadata: { ...metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } } };
  assert.deepEqual(texts(validatePodResize(mirror, mirror)), [': Forbidden: static pods cannot be resized']);
});

test('ephemeral containers can be added and never change', () => {
  const debugger_ = { ...container({ name: 'debug' }), targetContainerName: 'c' };
  const debugged: Pod = { metadata, spec: podSpec({ ephemeralContainers: [debugger_] }) };
  checkUpdate(validatePodEphemeralContainersUpdate, debugged, [
    [
      spec({ ephemeralContainers: [] }),
      ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n'],
    ],
    [
      spec({ ephemeralContainers: [debugger_, { ...debugger_, name: 'c' }] }),
      ['spec.ephemeralContainers[1].name: Duplicate value: "c"'],
    ],
  ]);
  const changed = structuredClone(debugged);
  spec({ ephemeralContainers: [{ ...debugger_, image: 'other' }] })(changed);
  assert.match(
    texts(validatePodEphemeralContainersUpdate(changed, debugged))[0] ?? '',
    /^spec\.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed\n@@ /,
  );
});
