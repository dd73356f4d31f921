import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, nameIsDnsLabel } from '@binnacle/apimachinery/validation';
import type { PersistentVolumeSpec, SecretReference } from '../../generated/types/core-v1.js';
import { dnsLabel, dnsSubdomain, requireText } from '../common.js';
import { noBacksteps } from '../file-paths.js';
import { validatePersistentIscsi } from '../volumes/iscsi.js';
import { validateHostPath, validateNfs } from '../pod/volume-sources.js';
import {
  requireFields,
  validateAwsElasticBlockStore,
  validateAzureDisk,
  validateDriverName,
  validateFibreChannel,
  validateFlexOptions,
  validateFlocker,
  validateGcePersistentDisk,
  validateQuobyte,
  validateStorageOsNames,
} from '../volumes/volume-drivers.js';

type Source<K extends keyof PersistentVolumeSpec> = NonNullable<PersistentVolumeSpec[K]>;

/** Every volume source, in the order of upstream's checks. Upstream: `ValidatePersistentVolumeSpec`. */
const rules = {
  hostPath: (source: Source<'hostPath'>, field) => validateHostPath(source, field),
  gcePersistentDisk: (source: Source<'gcePersistentDisk'>, _field, parent) =>
    validateGcePersistentDisk(source, `${parent}.persistentDisk`),
  awsElasticBlockStore: (source: Source<'awsElasticBlockStore'>, field) => validateAwsElasticBlockStore(source, field),
  glusterfs: (source: Source<'glusterfs'>, field) => [
    ...requireFields(source, ['endpoints', 'path'], field),
    ...endpointsNamespace(source.endpointsNamespace, `${field}.endpointsNamespace`),
  ],
  flocker: (source: Source<'flocker'>, field) => validateFlocker(source, field),
  nfs: (source: Source<'nfs'>, field) => validateNfs(source, field),
  rbd: (source: Source<'rbd'>, field) => requireFields(source, ['monitors', 'image'], field),
  quobyte: (source: Source<'quobyte'>, field) => validateQuobyte(source, field),
  cephfs: (source: Source<'cephfs'>, field) => requireFields(source, ['monitors'], field),
  iscsi: (source: Source<'iscsi'>, field, _parent, name) => validatePersistentIscsi(source, name, field),
  cinder: (source: Source<'cinder'>, field) => [
    ...requireFields(source, ['volumeID'], field),
    ...secretPlace(source.secretRef, field),
  ],
  fc: (source: Source<'fc'>, field) => validateFibreChannel(source, field),
  flexVolume: (source: Source<'flexVolume'>, field) => [
    ...requireFields(source, ['driver'], field),
    ...validateFlexOptions(source.options, `${field}.options`),
  ],
  azureFile: (source: Source<'azureFile'>, field) => [
    ...requireFields(source, ['secretName', 'shareName'], field),
    ...(source.secretNamespace === '' ? [required(`${field}.secretNamespace`, '')] : []),
  ],
  vsphereVolume: (source: Source<'vsphereVolume'>, field) => requireFields(source, ['volumePath'], field),
  photonPersistentDisk: (source: Source<'photonPersistentDisk'>, field) => requireFields(source, ['pdID'], field),
  portworxVolume: (source: Source<'portworxVolume'>, field) => requireFields(source, ['volumeID'], field),
  azureDisk: (source: Source<'azureDisk'>, field) => validateAzureDisk(source, field),
  scaleIO: (source: Source<'scaleIO'>, field) => requireFields(source, ['gateway', 'system', 'volumeName'], field),
  local: (source: Source<'local'>, field) =>
    source.path ? noBacksteps(source.path, `${field}.path`) : [required(`${field}.path`, '')],
  storageos: (source: Source<'storageos'>, field) => [
    ...validateStorageOsNames(source, field),
    ...secretPlace(source.secretRef, field),
  ],
  csi: (source: Source<'csi'>, field) => containerStorageInterface(source, field),
} satisfies Partial<{
  [K in keyof PersistentVolumeSpec]: (
    source: Source<K>,
    field: string,
    parent: string,
    volumeName: string,
  ) => FieldError[];
}>;

export type PersistentVolumeSourceName = keyof typeof rules;

export const PERSISTENT_VOLUME_SOURCES = Object.keys(rules) as readonly PersistentVolumeSourceName[];

/** Exactly one source is allowed; only the first is validated. */
export function validatePersistentVolumeSources(
  spec: PersistentVolumeSpec,
  volumeName: string,
  field: string,
): FieldError[] {
  const present = PERSISTENT_VOLUME_SOURCES.filter((name) => spec[name] !== undefined);
  if (present.length === 0) return [required(field, 'must specify a volume type')];
  return present.flatMap((name, index) => {
    // Upstream does not check for an earlier source at flexVolume, and spells one source differently.
    if (index > 0 && name !== 'flexVolume') {
      const path = `${field}.${name === 'cephfs' ? 'cephFS' : name}`;
      return [forbiddenField(path, 'may not specify more than 1 volume type')];
    }
    const errors = validateSource(spec, name, field, volumeName);
    if (name === 'local' && spec.nodeAffinity === undefined) {
      errors.push(required(`${field}.nodeAffinity`, 'Local volume requires node affinity'));
    }
    return errors;
  });
}

function validateSource(
  spec: PersistentVolumeSpec,
  name: PersistentVolumeSourceName,
  field: string,
  volumeName: string,
): FieldError[] {
  const rule = rules[name] as (source: unknown, field: string, parent: string, volumeName: string) => FieldError[];
  return [...rule(spec[name], `${field}.${name}`, field, volumeName)];
}

function endpointsNamespace(namespace: string | undefined, field: string): FieldError[] {
  if (namespace === undefined) return [];
  if (namespace !== '') return invalidFor(field, namespace, nameIsDnsLabel(namespace, false));
  return [invalidValue(field, '', 'if the endpointnamespace is set, it must be a valid namespace name')];
}

interface SecretPlace {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

function secretPlace(secret: SecretPlace | undefined, field: string): FieldError[] {
  return secret === undefined ? [] : requireFields(secret, ['name', 'namespace'], `${field}.secretRef`);
}

function containerStorageInterface(source: Source<'csi'>, field: string): FieldError[] {
  const secrets = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const;
  return [
    ...validateDriverName(source.driver, `${field}.driver`),
    ...requireText(source.volumeHandle, `${field}.volumeHandle`),
    ...secrets.flatMap((name) => secretReference(source[name], `${field}.${name}`)),
  ];
}

function secretReference(secret: SecretReference | undefined, field: string): FieldError[] {
  if (secret === undefined) return [];
  return [
    ...(secret.name ? dnsSubdomain(secret.name, `${field}.name`) : [required(`${field}.name`, '')]),
    ...(secret.namespace ? dnsLabel(secret.namespace, `${field}.namespace`) : [required(`${field}.namespace`, '')]),
  ];
}
