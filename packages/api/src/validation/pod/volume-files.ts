import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import type { DownwardAPIVolumeFile, KeyToPath } from '../../generated/types/core-v1.js';
import { requireText } from '../common.js';
import { fileMode, nonReservedPath } from '../file-paths.js';
import { validateObjectField, validateResourceField } from './environment.js';

const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

export function validateKeyToPath(item: KeyToPath, path: string): FieldError[] {
  return [
    ...requireText(item.key, `${path}.key`),
    ...requireText(item.path, `${path}.path`),
    ...nonReservedPath(item.path ?? '', `${path}.path`),
    ...fileMode(item.mode, `${path}.mode`),
  ];
}

/** Upstream's path has no index here. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, field: string): FieldError[] {
  const errors = [...requireText(file.path, `${field}.path`), ...nonReservedPath(file.path ?? '', `${field}.path`)];
  if (file.fieldRef !== undefined) {
    errors.push(...validateObjectField(file.fieldRef, VOLUME_FIELDS, `${field}.fieldRef`));
    if (file.resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalidValue(field, 'resource', detail));
    }
  } else if (file.resourceFieldRef !== undefined) {
    errors.push(...validateResourceField(file.resourceFieldRef, `${field}.resourceFieldRef`, true));
  } else {
    errors.push(required(field, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...fileMode(file.mode, `${field}.mode`)];
}
