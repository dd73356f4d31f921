import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, utf8Length, validateRange } from '@binnacle/apimachinery/validation';
import type { ISCSIPersistentVolumeSource, ISCSIVolumeSource } from '../../generated/types/core-v1.js';
import { requireText } from '../common.js';

// Upstream: `validateISCSIVolumeSource`, `validateISCSIPersistentVolumeSource`.

const NAMED_TARGET_MAXIMUM = 64;
/** Far more than the 223 bytes that a name may have. The pattern is quadratic, so longer names are not matched. */
const MATCHED_MAXIMUM = 1024;
const FORMATS: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

export function validateIscsi(source: ISCSIVolumeSource, field: string): FieldError[] {
  const unknown = 'must be valid format starting with iqn, eui, or naa';
  return [...requireText(source.targetPortal, `${field}.targetPortal`), ...common(source, field, unknown)];
}

/** @param volume the persistent volume's name, which is part of the initiator's name. */
export function validatePersistentIscsi(
  source: ISCSIPersistentVolumeSource,
  volume: string,
  field: string,
): FieldError[] {
  const portal = source.targetPortal ?? '';
  const errors = requireText(portal, `${field}.targetPortal`);
  errors.push(...validateTargetName(volume, source, `${field}.targetportal`, portal));
  const { secretRef } = source;
  return [
    ...errors,
    ...common(source, field, 'must be valid format'),
    ...(secretRef === undefined ? [] : requireText(secretRef.name, `${field}.secretRef.name`)),
  ];
}

/** The initiator's name contains the volume's name and the portal. */
export function validateTargetName(
  volume: string,
  source: ISCSIVolumeSource | ISCSIPersistentVolumeSource,
  field: string,
  shown: string,
): FieldError[] {
  const length = utf8Length(`${volume}:${source.targetPortal ?? ''}`);
  if (source.initiatorName === undefined || length <= NAMED_TARGET_MAXIMUM) return [];
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalidValue(field, shown, detail)];
}

function common(
  source: ISCSIVolumeSource | ISCSIPersistentVolumeSource,
  field: string,
  unknownFormat: string,
): FieldError[] {
  const { iqn, initiatorName, secretRef } = source;
  const lun = source.lun ?? 0;
  const authenticated = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...(iqn ? qualified(iqn, `${field}.iqn`, unknownFormat) : [required(`${field}.iqn`, '')]),
    ...invalidFor(`${field}.lun`, lun, validateRange(lun, 0, 255)),
    ...(authenticated && secretRef === undefined ? [required(`${field}.secretRef`, '')] : []),
    ...(initiatorName === undefined ? [] : qualified(initiatorName, `${field}.initiatorname`, unknownFormat)),
  ];
}

function qualified(name: string, field: string, unknownFormat: string): FieldError[] {
  const format = FORMATS[name.slice(0, 3)];
  if (format === undefined) return [invalidValue(field, name, unknownFormat)];
  if (name.length <= MATCHED_MAXIMUM && format.test(name)) return [];
  return [invalidValue(field, name, 'must be valid format')];
}
