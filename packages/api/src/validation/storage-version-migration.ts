import { messageOf } from '@binnacle/apimachinery/errors';
import { compareResourceVersions } from '@binnacle/apimachinery/meta';
import { type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  IMMUTABLE_MESSAGE,
  nameIsDnsSubdomain,
  semanticEqual,
  validateConditions,
  validateDns1035Label,
  validateDns1123Subdomain,
} from '@binnacle/apimachinery/validation';
import type { StorageVersionMigration } from '../generated/types/storagemigration-v1beta1.js';
import { typeNamed } from '../table/index.js';
import { finalizerDomains, wholeMetadata } from './common.js';
import { type GoStruct, shownStruct } from './go-struct.js';

// Upstream: kubernetes `pkg/apis/storagemigration/validation`.

const RESOURCE = 'spec.resource.resource';
const GROUP = 'spec.resource.group';
const VERSION = 'status.resourceVersion';
const CONDITIONS = 'status.conditions';
const MIGRATION_SPEC = 'io.k8s.api.storagemigration.v1beta1.StorageVersionMigrationSpec';
const SPEC: GoStruct = { Resource: ['resource', {}] };

export function validateStorageVersionMigration({ spec }: StorageVersionMigration): FieldError[] {
  const { resource = '', group = '' } = spec?.resource ?? {};
  return [
    ...(resource === ''
      ? [required(RESOURCE, 'resource is required to be set')]
      : problems(RESOURCE, resource, validateDns1035Label(resource))),
    ...(group === '' ? [] : problems(GROUP, group, validateDns1123Subdomain(group))),
  ];
}

export function validateStorageVersionMigrationUpdate(
  object: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] {
  return [
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...validateStorageVersionMigration(object),
    ...finalizerDomains(object),
    ...(semanticEqual(object.spec, old.spec, typeNamed(MIGRATION_SPEC))
      ? []
      : [invalidValue('spec', shownStruct(object.spec, SPEC), IMMUTABLE_MESSAGE)]),
  ];
}

/** A checkpoint and an outcome are final. */
export function validateStorageVersionMigrationStatusUpdate(
  object: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] {
  const { resourceVersion: version = '', conditions } = object.status ?? {};
  const { resourceVersion: before = '' } = old.status ?? {};
  const wrong = (detail: string): FieldError => invalidValue(CONDITIONS, conditions, detail);
  const [succeeded, failed] = [isTrue(object, 'Succeeded'), isTrue(object, 'Failed')];
  return [
    ...finalizerDomains(object),
    ...wellFormed(version),
    ...validateConditions(conditions as Parameters<typeof validateConditions>[0], CONDITIONS),
    ...(before === '' || before === version ? [] : [invalidValue(VERSION, version, 'field is immutable')]),
    ...(succeeded && failed ? [wrong('Both success and failed conditions cannot be true at the same time')] : []),
    ...(isTrue(old, 'Succeeded') && !succeeded
      ? [wrong('Success condition cannot be set to false once it is true')]
      : []),
    ...(isTrue(old, 'Failed') && !failed ? [wrong('Failed condition cannot be set to false once it is true')] : []),
  ];
}

function problems(field: string, value: string, messages: readonly string[]): FieldError[] {
  return messages.length === 0 ? [] : [invalidValue(field, value, messages.join(','))];
}

function wellFormed(version: string): FieldError[] {
  if (version === '') return [];
  try {
    compareResourceVersions(version, version);
    return [];
  } catch (error) {
    return [invalidValue(VERSION, version, messageOf(error))];
  }
}

function isTrue({ status }: StorageVersionMigration, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}
