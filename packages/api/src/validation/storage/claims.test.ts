import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatefulSet } from '../../generated/types/apps-v1.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../../generated/types/core-v1.js';
import {
  validatePersistentVolume,
  validatePersistentVolumeClaim,
  validatePersistentVolumeClaimUpdate,
  validatePersistentVolumeUpdate,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from '../index.js';
import { checkRule, checkUpdate, template, texts } from '../rules.testing.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' };

const claim: PersistentVolumeClaim = {
  metadata,
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeAttributesClassName: 'fast',
  },
  status: { phase: 'Bound', currentVolumeAttributesClassName: 'fast' },
};

test('claims name valid sources and classes', () => {
  const source = { kind: 'PersistentVolumeClaim', name: 'a' };
  const spec = (fields: object) => (object: PersistentVolumeClaim) => Object.assign(object.spec ?? {}, fields);
  checkRule(validatePersistentVolumeClaim, claim, [
    [spec({ dataSource: source, dataSourceRef: source }), []],
    [
      spec({ dataSource: source, dataSourceRef: { ...source, name: 'b' } }),
      ['spec: Invalid value: {}: must match dataSourceRef'],
    ],
    [
      spec({ dataSource: source, dataSourceRef: { ...source, namespace: 'm' } }),
      ['spec: Invalid value: {}: may not be specified when dataSourceRef.namespace is specified'],
    ],
  ]);
  checkUpdate(validatePersistentVolumeClaimUpdate, claim, [
    [spec({ volumeAttributesClassName: 'slow' }), []],
    [
      spec({ volumeAttributesClassName: undefined }),
      [
        'spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when status.currentVolumeAttributesClassName is not nil',
      ],
    ],
  ]);
});

const volume: PersistentVolume = {
  metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    csi: { driver: 'disk.example.com', volumeHandle: 'h' },
    volumeAttributesClassName: 'fast',
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['a'] }] },
        ],
      },
    },
  },
};

test('persistent volumes', () => {
  const spec = (fields: object) => (object: PersistentVolume) => Object.assign(object.spec ?? {}, fields);
  const zone = (key: string) =>
    spec({
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
      },
    });
  const csi = { driver: 'disk.example.com', volumeHandle: 'h' };
  const recycled = { csi: undefined, volumeAttributesClassName: undefined, persistentVolumeReclaimPolicy: 'Recycle' };
  checkRule(validatePersistentVolume, volume, [
    [
      spec({ csi: undefined, volumeAttributesClassName: '', glusterfs: { path: 'p', endpointsNamespace: '' } }),
      [
        'spec.glusterfs.endpoints: Required value',
        'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
        'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
        'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
      ],
    ],
    [
      spec({ csi: { ...csi, nodePublishSecretRef: { name: 'S' } } }),
      [
        "spec.csi.nodePublishSecretRef.name: Invalid value: \"S\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.csi.nodePublishSecretRef.namespace: Required value',
      ],
    ],
    [
      spec({ csi: undefined, volumeAttributesClassName: undefined, local: { path: '/x' }, nodeAffinity: undefined }),
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    ...['/', '//', '/./', '/.'].map((path): [ReturnType<typeof spec>, string[]] => [
      spec({ ...recycled, hostPath: { path } }),
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ]),
    // An expression would search for longer than the world exists.
    ...['/x', '/...', `${'/'.repeat(1000)}x`].map((path): [ReturnType<typeof spec>, string[]] => [
      spec({ ...recycled, hostPath: { path } }),
      [],
    ]),
    [spec({ cephfs: { monitors: ['m'] } }), ['spec.csi: Forbidden: may not specify more than 1 volume type']],
  ]);
  checkUpdate(validatePersistentVolumeUpdate, volume, [
    [zone('topology.kubernetes.io/zone'), []],
    [
      zone('zone'),
      [
        'nodeAffinity: Invalid value: {"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}}: field is immutable, except for updating from beta label to GA',
      ],
    ],
    [spec({ csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } }), []],
    [
      spec({ volumeAttributesClassName: undefined }),
      ['spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden'],
    ],
  ]);
});

test('a stateful set update validates only what may change', () => {
  const set: StatefulSet = {
    metadata,
    spec: {
      serviceName: 'svc',
      selector: { matchLabels: { a: 'b' } },
      template: template({ hostname: 'Not a label', subdomain: 'nor this' }),
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'OnDelete' },
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim.spec }],
    },
  };
  const spec = (fields: object) => (object: StatefulSet) => Object.assign(object.spec ?? {}, fields);
  checkRule(validateStatefulSet, set, [
    [
      spec({ serviceName: 'a.b', volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: {} }] }),
      [
        'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
        'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
        'spec.serviceName: Invalid value: "a.b": must not contain dots',
      ],
    ],
  ]);
  const stored = structuredClone(set);
  spec({ serviceName: 'a.b', volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: {} }] })(stored);
  checkUpdate(validateStatefulSetUpdate, stored, [
    [spec({ replicas: -1 }), ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    [
      spec({ serviceName: 'c' }),
      [
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
    ],
  ]);
});

test('the class annotation of a claim', () => {
  const annotation = 'volume.beta.kubernetes.io/storage-class';
  const claim = (annotations: Record<string, string>, storageClassName?: string): PersistentVolumeClaim => ({
    metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1', annotations },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  });
  const old = claim({ [annotation]: 'c' });
  const update = (object: PersistentVolumeClaim): string[] => texts(validatePersistentVolumeClaimUpdate(object, old));
  assert.deepEqual(update(claim({ [annotation]: 'c' }, 'c')), []);
  assert.deepEqual(update(claim({}, 'c')), []);
  const immutable = (value: string): string =>
    `metadata.annotations.${annotation}: Invalid value: "${value}": field is immutable`;
  assert.deepEqual(update(claim({})), [immutable('')]);
  assert.deepEqual(update(claim({ [annotation]: 'd' })), [immutable('d')]);
  assert.match(update(claim({ [annotation]: 'c' }, 'd'))[0] ?? '', /^spec: Forbidden: spec is immutable/);
});
