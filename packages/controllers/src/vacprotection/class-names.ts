import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';

/** The VolumeAttributesClasses that a claim has, asks for, or is being moved to. */
export function classNamesOfClaim({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.flatMap((name) => (name === undefined || name === '' ? [] : [name])))];
}

export function classNamesOfVolume({ spec }: PersistentVolume): string[] {
  const { volumeAttributesClassName: name = '' } = spec ?? {};
  return name === '' ? [] : [name];
}
