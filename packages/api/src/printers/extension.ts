import type { JsonValue } from '@binnacle/apimachinery/json';
import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { APIService } from '../generated/types/apiregistration-v1.js';
import type { StorageVersion } from '../generated/types/apiserverinternal-v1alpha1.js';
import type { StorageVersionMigration } from '../generated/types/storagemigration-v1beta1.js';
import { ageColumn, nameColumn, text } from './column.js';
import { listSome } from './format.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

function printAPIService(object: APIService, context: PrintContext): JsonValue[] {
  const service = object.spec?.service;
  return [
    nameOf(object),
    service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
    availability(object),
    ageOf(object, context),
  ];
}

function availability({ status }: APIService): string {
  const available = (status?.conditions ?? []).find((condition) => condition.type === 'Available');
  if (!available) return 'Unknown';
  return available.status !== 'True' && available.reason
    ? `${available.status} (${available.reason})`
    : available.status;
}

function printStorageVersion(object: StorageVersion, context: PrintContext): JsonValue[] {
  const versions = object.status?.storageVersions ?? [];
  return [
    nameOf(object),
    object.status?.commonEncodingVersion ?? '<unset>',
    listSome(
      versions.map((version) => `${version.apiServerID ?? ''}=${version.encodingVersion ?? ''}`),
      '<unset>',
    ),
    ageOf(object, context),
  ];
}

export const extensionPrinters: readonly PrinterEntry[] = [
  printer(
    'apiregistration.k8s.io/APIService',
    [
      nameColumn,
      text('Service', 'Service that serves it, or Local.'),
      text('Available', 'Whether it can be reached.'),
      ageColumn,
    ],
    printAPIService,
  ),
  printer(
    'internal.apiserver.k8s.io/StorageVersion',
    [
      nameColumn,
      text('CommonEncodingVersion', 'Version that all servers store.'),
      text('StorageVersions', 'Version that each server stores.'),
      ageColumn,
    ],
    printStorageVersion,
  ),
  printer(
    'storagemigration.k8s.io/StorageVersionMigration',
    [text('Name', 'Name of the migration.'), text('Resource', 'Resource whose objects are rewritten in storage.')],
    (migration: StorageVersionMigration) => {
      const { group = '', resource = '' } = migration.spec?.resource ?? {};
      return [nameOf(migration), formatGroupResource({ group, resource })];
    },
  ),
];
