import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldError } from '@binnacle/apimachinery/status';
import { finish } from '@binnacle/apimachinery/work';
import type { Job } from '../generated/types/batch-v1.js';
import type { ConfigMap, PersistentVolumeClaim, PodSpec, Secret } from '../generated/types/core-v1.js';
import { validateResourceClaimUpdate } from './devices/claim.js';
import {
  validateConfigMapUpdate,
  validateCSIStorageCapacityUpdate,
  validateJobUpdate,
  validatePersistentVolumeClaimUpdate,
  validatePersistentVolumeUpdate,
  validatePodUpdate,
  validateSecretUpdate,
  validateStatefulSetUpdate,
} from './index.js';
import { container, podSpec, template, texts } from './rules.testing.js';

// A pointer to an empty struct differs from none where a field is immutable, and so does empty data of a Secret; other
// empty values do not. Nor do zeros that
// are not pointers: stored objects show some of them, and decoded ones do not. Seen with kube-apiserver 1.36, in both
// directions.

/** Whether an update from one to the other is refused because of an immutable field. */
type Refuses = (object: object, old: object) => boolean;

const IMMUTABLE = /immutable|may not change fields|are forbidden/;
const refuses =
  <T>(rule: (object: T, old: T) => FieldError[], make: (parts: object) => T): Refuses =>
  (object, old) =>
    texts(rule(make(object), make(old))).some((text) => IMMUTABLE.test(text));

const metadata = { name: 'a', namespace: 'n', resourceVersion: '1', uid: 'u' };
const pod = (parts: object) => ({ metadata, spec: podSpec(parts) });
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

const jobOf =
  (paused: boolean) =>
  (parts: object): Job => ({
    metadata,
    spec: { suspend: paused, template: template({ restartPolicy: 'Never', ...parts }) },
    ...(paused ? { status: { conditions: [{ type: 'Suspended', status: 'True' }] } } : {}),
  });

const podUpdate = refuses(validatePodUpdate, pod);
const gatedUpdate = refuses(validatePodUpdate, (parts) => pod({ schedulingGates: [{ name: 'g.io/x' }], ...parts }));
const jobUpdate = refuses(validateJobUpdate, jobOf(false));
const pausedUpdate = refuses(validateJobUpdate, jobOf(true));
const setUpdate = refuses(validateStatefulSetUpdate, (parts) => ({
  metadata,
  spec: {
    serviceName: 's',
    selector: { matchLabels: { a: 'b' } },
    template: template(),
    volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: { ...claimSpec, ...parts } }],
  },
}));
const serviceUpdate = refuses(validateStatefulSetUpdate, (parts) => ({
  metadata,
  spec: { selector: { matchLabels: { a: 'b' } }, template: template(), ...parts },
}));
const disk = { targetPortal: '192.0.2.1:3260', iqn: 'iqn.2001-04.com.example:disk', lun: 0 };
const volumeUpdate = refuses(validatePersistentVolumeUpdate, (parts) => ({
  metadata,
  spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, iscsi: { ...disk, ...parts } },
}));
const claimUpdate = refuses(
  validatePersistentVolumeClaimUpdate,
  (parts): PersistentVolumeClaim => ({ metadata, spec: { ...claimSpec, ...parts } }),
);
const capacityUpdate = refuses(validateCSIStorageCapacityUpdate, (parts) => ({
  metadata,
  storageClassName: 's',
  ...parts,
}));
const deviceUpdate = refuses(validateResourceClaimUpdate, (parts) => ({
  metadata,
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', ...parts } }] } },
}));

const configUpdate = refuses(
  (object: ConfigMap, old: ConfigMap) => finish(validateConfigMapUpdate(object, old)),
  (parts) => ({ metadata, immutable: true, ...parts }),
);
const secretUpdate = refuses(
  (object: Secret, old: Secret) => finish(validateSecretUpdate(object, old)),
  (parts) => ({ metadata, immutable: true, ...parts }),
);

const inContainer = (fields: object): Partial<PodSpec> => ({ containers: [container(fields)] });
const volume = (fields: object): Partial<PodSpec> => ({ volumes: [{ name: 'v', iscsi: { ...disk, ...fields } }] });
const header = (fields: object): Partial<PodSpec> =>
  inContainer({ readinessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'h', ...fields }] } } });
const pause = (fields: object): Partial<PodSpec> => inContainer({ lifecycle: { preStop: { sleep: fields } } });
const sysctl = (fields: object): object => ({ securityContext: { sysctls: [{ name: 'kernel.sem', ...fields }] } });
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Exists' }] }],
  },
};

const cases: readonly (readonly [what: string, update: Refuses, a: object, b: object, refused: boolean])[] = [
  ['affinity of a pod', podUpdate, {}, { affinity: {} }, true],
  ['nodeAffinity of a pod', podUpdate, { affinity: {} }, { affinity: { nodeAffinity: {} } }, true],
  ['dnsConfig of a pod', podUpdate, {}, { dnsConfig: {} }, true],
  ['resources of a pod', podUpdate, {}, { resources: {} }, true],
  ['nodeSelector of a pod', podUpdate, {}, { nodeSelector: {} }, false],
  ['hostAliases of a pod', podUpdate, {}, { hostAliases: [] }, false],
  ['securityContext of a container', podUpdate, {}, inContainer({ securityContext: {} }), true],
  ['lifecycle of a container', podUpdate, {}, inContainer({ lifecycle: {} }), true],
  ['resources of a container', podUpdate, inContainer({ resources: undefined }), {}, false],
  ['affinity of a gated pod', gatedUpdate, {}, { affinity: {} }, true],
  ['podAffinity of a gated pod', gatedUpdate, { affinity: {} }, { affinity: { podAffinity: {} } }, true],
  ['nodeAffinity of a gated pod', gatedUpdate, { affinity: {} }, { affinity: { nodeAffinity: {} } }, false],
  ['template of a job', jobUpdate, {}, { affinity: {} }, true],
  ['template of a paused job', pausedUpdate, { affinity: {} }, { affinity: { podAffinity: {} } }, true],
  ['affinity of a paused job', pausedUpdate, {}, { affinity: {} }, false],
  ['nodeAffinity of a paused job', pausedUpdate, {}, { affinity: { nodeAffinity } }, false],
  ['selector of a claim template', setUpdate, {}, { selector: {} }, true],
  ['selector of a claim', claimUpdate, {}, { selector: {} }, true],
  ['limits of a claim', claimUpdate, {}, { resources: { requests: { storage: '1Gi' }, limits: {} } }, false],
  ['topology of a capacity', capacityUpdate, {}, { nodeTopology: {} }, true],
  ['lun of a volume', podUpdate, volume({}), volume({ lun: undefined }), false],
  ['lun of a persistent volume', volumeUpdate, {}, { lun: undefined }, false],
  ['value of a header', podUpdate, header({}), header({ value: '' }), false],
  ['seconds of a pause', podUpdate, pause({}), pause({ seconds: 0 }), false],
  ['value of a sysctl', jobUpdate, sysctl({}), sysctl({ value: '' }), false],
  ['serviceName of a stateful set', serviceUpdate, {}, { serviceName: '' }, false],
  ['start of ordinals', serviceUpdate, { ordinals: {} }, { ordinals: { start: 0 } }, false],
  ['data of a ConfigMap', configUpdate, {}, { data: {} }, false],
  ['binary data of a ConfigMap', configUpdate, { data: { a: 'b' } }, { data: { a: 'b' }, binaryData: {} }, true],
  ['data of a Secret', secretUpdate, {}, { data: {} }, true],
  ['capacity of a device request', deviceUpdate, {}, { capacity: {} }, true],
];

describe('an immutable field that becomes empty, or no longer is', () => {
  for (const [what, update, a, b, refused] of cases) {
    it(`is ${refused ? 'refused' : 'accepted'}: ${what}`, () => {
      assert.deepEqual([update(b, a), update(a, b)], [refused, refused]);
    });
  }
});
