import { test } from 'node:test';
import type { RuntimeClass } from '../../generated/types/node-v1.js';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../../generated/types/storage-v1.js';
import {
  validateCSIDriver,
  validateCSIDriverUpdate,
  validateCSINode,
  validateCSINodeUpdate,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolumeAttachment,
  validateVolumeAttachmentUpdate,
  validateVolumeAttributesClass,
  validateVolumeAttributesClassUpdate,
} from '../index.js';
import { checkRule, checkUpdate } from '../rules.testing.js';

const metadata = { name: 'x', uid: 'u', resourceVersion: '1' };
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const storageClass: StorageClass = {
  metadata,
  provisioner: 'Example.com/Disk',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  parameters: { type: 'fast' },
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
};

test('storage classes', () => {
  checkRule(validateStorageClass, storageClass, [
    [(object) => (object.provisioner = ''), ['provisioner: Required value']],
    [
      (object) => (object.reclaimPolicy = 'Recycle'),
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [(object) => delete object.volumeBindingMode, ['volumeBindingMode: Required value']],
    [(object) => (object.parameters = { '': 'x' }), ['parameters: Invalid value: "": field can not be empty.']],
    [
      (object) => object.allowedTopologies?.push({ matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] }),
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
    [
      (object) => (object.allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone', values: [] }] }]),
      ['allowedTopologies[0].matchLabelExpressions[0].values: Required value'],
    ],
  ]);
  checkUpdate(validateStorageClassUpdate, storageClass, [
    [
      (object) => (object.parameters = { type: 'slow' }),
      ['parameters: Invalid value: {"type":"slow"}: field is immutable'],
    ],
    [(object) => (object.reclaimPolicy = 'Retain'), ['reclaimPolicy: Invalid value: "Retain": field is immutable']],
  ]);
});

const driver: CSIDriver = {
  metadata,
  spec: {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'File',
    volumeLifecycleModes: ['Persistent'],
    seLinuxMount: false,
    tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
  },
};

test('CSI drivers', () => {
  checkRule(validateCSIDriver, driver, [
    [(object) => delete object.spec.attachRequired, ['spec.attachedRequired: Required value']],
    [
      (object) => (object.spec.volumeLifecycleModes = ['Never']),
      ['spec.volumeLifecycleModes: Unsupported value: "Never": supported values: "Persistent", "Ephemeral"'],
    ],
    [
      (object) => object.spec.tokenRequests?.push({ audience: 'a' }, { audience: 'b', expirationSeconds: 5 }),
      [
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
        'spec.tokenRequests[2].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      ],
    ],
    [
      (object) => Object.assign(object.spec, { tokenRequests: [], serviceAccountTokenInSecrets: true }),
      [
        'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ],
    ],
  ]);
  checkUpdate(validateCSIDriverUpdate, driver, [
    [
      (object) => (object.spec.attachRequired = false),
      ['spec.attachedRequired: Invalid value: false: field is immutable'],
    ],
  ]);
});

const node: CSINode = {
  metadata,
  spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n1', topologyKeys: ['zone'], allocatable: { count: 3 } }] },
};

test('CSI nodes', () => {
  checkRule(validateCSINode, node, [
    [
      (object) => object.spec.drivers.push({ name: 'disk.example.com', nodeID: '' }),
      ['spec.drivers[1].nodeID: Required value', 'spec.drivers[1].name: Duplicate value: "disk.example.com"'],
    ],
    [
      (object) => Object.assign(object.spec.drivers[0] ?? {}, { allocatable: { count: -1 } }),
      ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
    ],
  ]);
  checkUpdate(validateCSINodeUpdate, node, [
    [
      (object) => Object.assign(object.spec.drivers[0] ?? {}, { nodeID: 'n2', allocatable: { count: 4 } }),
      [
        'spec.drivers: Invalid value: {"Name":"disk.example.com","NodeID":"n2","TopologyKeys":["zone"],"Allocatable":null}: field is immutable',
      ],
    ],
  ]);
});

const capacity: CSIStorageCapacity = {
  metadata: { ...metadata, namespace: 'n' },
  storageClassName: 'fast',
  capacity: '1Gi',
  nodeTopology: { matchLabels: { zone: 'a' } },
};

test('CSI storage capacities', () => {
  checkRule(validateCSIStorageCapacity, capacity, [
    [(object) => (object.storageClassName = ''), [`storageClassName: Invalid value: "": ${SUBDOMAIN}`]],
    [(object) => (object.capacity = '-1'), ['capacity: Invalid value: "-1": must be greater than or equal to 0']],
  ]);
  checkUpdate(validateCSIStorageCapacityUpdate, capacity, [
    [
      (object) => (object.nodeTopology = { matchLabels: { zone: 'b' } }),
      ['nodeTopology: Invalid value: {"matchLabels":{"zone":"b"}}: field is immutable'],
    ],
    [(object) => (object.storageClassName = 'slow'), ['storageClassName: Invalid value: "slow": field is immutable']],
  ]);
});

const attachment: VolumeAttachment = {
  metadata,
  spec: { attacher: 'disk.example.com', nodeName: 'n1', source: { persistentVolumeName: 'v1' } },
  status: { attached: false },
};

test('volume attachments', () => {
  const both = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  checkRule(validateVolumeAttachment, attachment, [
    [(object) => (object.spec.attacher = ''), ['spec.attacher: Required value']],
    [(object) => (object.spec.source = {}), [`spec.source: Required value: ${both}`]],
    [(object) => (object.spec.source.inlineVolumeSpec = {}), [`spec.source: Forbidden: ${both}`]],
    [
      (object) =>
        (object.spec.source = {
          inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/p' }, storageClassName: 'c' },
        }),
      [
        'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
        'spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes',
      ],
    ],
    [
      (object) => (object.status = { attached: false, attachError: { message: 'x'.repeat(1025), errorCode: -1 } }),
      [
        'status.attachError.message: Too long: may not be more than 262144 bytes',
        'status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
    ],
  ]);
  checkUpdate(validateVolumeAttachmentUpdate, attachment, [
    [
      (object) => (object.spec.nodeName = 'n2'),
      [
        'spec: Invalid value: {"attacher":"disk.example.com","nodeName":"n2","source":{"persistentVolumeName":"v1"}}: field is immutable',
      ],
    ],
  ]);
});

const attributes: VolumeAttributesClass = { metadata, driverName: 'disk.example.com', parameters: { iops: '5' } };

test('volume attributes classes', () => {
  checkRule(validateVolumeAttributesClass, attributes, [
    [(object) => (object.driverName = ''), ['driverName: Required value']],
    [(object) => delete object.parameters, ['parameters: Required value: must contain at least one key/value pair']],
  ]);
  checkUpdate(validateVolumeAttributesClassUpdate, attributes, [
    [
      (object) => (object.driverName = 'b.example.com'),
      ['driverName: Forbidden: updates to driverName are forbidden.'],
    ],
    [(object) => (object.parameters = { iops: '6' }), ['parameters: Forbidden: updates to parameters are forbidden.']],
  ]);
});

const runtimeClass: RuntimeClass = {
  metadata,
  handler: 'runc',
  overhead: { podFixed: { cpu: '10m' } },
  scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
};

test('runtime classes', () => {
  checkRule(validateRuntimeClass, runtimeClass, [
    [(object) => (object.handler = ''), ['handler: Required value']],
    [
      (object) => object.scheduling?.tolerations?.push({ key: 'k', operator: 'Exists', tolerationSeconds: 3 }),
      [
        'scheduling.tolerations[1].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        'scheduling.tolerations[1]: Duplicate value: {"Key":"k","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":3}',
      ],
    ],
    [
      (object) => (object.overhead = { podFixed: { cpu: '-1' } }),
      ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
  ]);
  checkUpdate(validateRuntimeClassUpdate, runtimeClass, [
    [(object) => (object.handler = 'gvisor'), ['handler: Invalid value: "gvisor": field is immutable']],
  ]);
});
