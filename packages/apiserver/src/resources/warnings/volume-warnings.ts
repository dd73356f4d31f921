import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@binnacle/api/types/core-v1';
import { fractionWarning } from './container-warnings.js';

// Upstream: kubernetes `pkg/api/persistentvolume`, `pkg/api/persistentvolumeclaim`.

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const MOUNT_ANNOTATION = 'volume.beta.kubernetes.io/mount-options';

const CLASS_TEXT = 'deprecated since v1.8; use "storageClassName" attribute instead';

const ANNOTATIONS = [
  [CLASS_ANNOTATION, CLASS_TEXT],
  [MOUNT_ANNOTATION, 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

const OLD_SOURCES = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

export function volumeWarnings({ metadata, spec }: PersistentVolume): string[] {
  const recycled = spec?.persistentVolumeReclaimPolicy === 'Recycle';
  const recycling =
    'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return [
    ...ANNOTATIONS.filter(([name]) => metadata?.annotations?.[name] !== undefined).map(
      ([name, text]) => `metadata.annotations[${name}]: ${text}`,
    ),
    ...(recycled ? [`spec.persistentVolumeReclaimPolicy: ${recycling}`] : []),
    ...OLD_SOURCES.filter(([name]) => spec?.[name] !== undefined).map(
      ([name, text, shown = name]) => `spec.${shown}: ${text}`,
    ),
  ];
}

export function claimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  const old = metadata?.annotations?.[CLASS_ANNOTATION] !== undefined;
  const amounts = spec === undefined ? [] : claimSpecWarnings(spec, 'spec');
  return [...(old ? [`metadata.annotations[${CLASS_ANNOTATION}]: ${CLASS_TEXT}`] : []), ...amounts];
}

/** Warnings for the storage request of a claim, or of a claim template in a pod's volume. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, field: string): string[] {
  return (['requests', 'limits'] as const).flatMap((name) => {
    const amount = resources?.[name]?.['storage'];
    return amount === undefined ? [] : fractionWarning(amount, `${field}.resources.${name}[storage]`);
  });
}
