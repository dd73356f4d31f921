import type {
  HostPathVolumeSource,
  PersistentVolume,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimStatus,
  ServiceAccountTokenProjection,
  Volume,
} from '../generated/types/core-v1.js';
import { isLatestImage } from '../pods/index.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty, member } from './values.js';

const readableFileMode = 0o644;

function defaultVolume(volume: Volume): void {
  const hasSource = Object.entries(volume).some(
    ([field, value]) => field !== 'name' && value !== undefined && value !== null,
  );
  if (!hasSource) volume.emptyDir = {};
  if (volume.image && isEmpty(volume.image.pullPolicy)) {
    volume.image.pullPolicy = isLatestImage(volume.image.reference ?? '') ? 'Always' : 'IfNotPresent';
  }
}

function defaultFileMode(source: { defaultMode?: number | undefined }): void {
  source.defaultMode ??= readableFileMode;
}

function defaultPersistentVolume(volume: PersistentVolume): void {
  const spec = member(volume, 'spec');
  if (isEmpty(spec.persistentVolumeReclaimPolicy)) spec.persistentVolumeReclaimPolicy = 'Retain';
  spec.volumeMode ??= 'Filesystem';
  const status = (volume.status ??= {});
  if (isEmpty(status.phase)) status.phase = 'Pending';
}

export const volumeDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.core.v1.Volume', defaultVolume),
  typeRule('io.k8s.api.core.v1.SecretVolumeSource', defaultFileMode),
  typeRule('io.k8s.api.core.v1.ConfigMapVolumeSource', defaultFileMode),
  typeRule('io.k8s.api.core.v1.DownwardAPIVolumeSource', defaultFileMode),
  typeRule('io.k8s.api.core.v1.ProjectedVolumeSource', defaultFileMode),
  typeRule('io.k8s.api.core.v1.ServiceAccountTokenProjection', (projection: ServiceAccountTokenProjection) => {
    projection.expirationSeconds ??= 3600;
  }),
  typeRule('io.k8s.api.core.v1.HostPathVolumeSource', (source: HostPathVolumeSource) => {
    source.type ??= '';
  }),
  typeRule('io.k8s.api.core.v1.PersistentVolume', defaultPersistentVolume),
  typeRule('io.k8s.api.core.v1.PersistentVolumeClaimSpec', (spec: PersistentVolumeClaimSpec) => {
    spec.volumeMode ??= 'Filesystem';
  }),
  typeRule('io.k8s.api.core.v1.PersistentVolumeClaimStatus', (status: PersistentVolumeClaimStatus) => {
    if (isEmpty(status.phase)) status.phase = 'Pending';
  }),
];
