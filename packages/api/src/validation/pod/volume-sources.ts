import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, invalidFor, nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import type { KeyToPath, LocalObjectReference, Volume } from '../../generated/types/core-v1.js';
import { each, optionalOneOf, requireOneOf, requireText } from '../common.js';
import { descendingPath, fileMode, noBacksteps } from '../file-paths.js';
import { validateIscsi, validateTargetName } from '../volumes/iscsi.js';
import { validateClaimTemplate } from '../volumes/persistent-volume-claim.js';
import { isNegative } from '../quantities.js';
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
import { validateProjections } from './projected-volume.js';
import { validateDownwardFile, validateKeyToPath } from './volume-files.js';

/** One volume source, in the order of upstream's checks. Upstream: `validateVolumeSource`. */
export interface VolumeSourceRule {
  readonly name: Exclude<keyof Volume, 'name'>;
  /** The name in the message about a second source, if upstream's differs. */
  readonly shownAs?: string;
  readonly rule: (volume: Volume, path: string, isPod: boolean) => FieldError[];
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

type SourceName = Exclude<keyof Volume, 'name'>;

/** A rule that needs only the source itself. */
function source<N extends SourceName>(
  name: N,
  rule: (source: NonNullable<Volume[N]>, field: string) => FieldError[],
  at: string = name,
): VolumeSourceRule {
  return {
    name,
    rule: (volume, path) => {
      const given = volume[name];
      return given === undefined || given === null ? [] : rule(given, `${path}.${at}`);
    },
  };
}

function fields(name: SourceName, names: readonly string[]): VolumeSourceRule {
  return source(name, (given, field) => requireFields(given, names, field));
}

function secretName(reference: LocalObjectReference | undefined, field: string): FieldError[] {
  return reference === undefined ? [] : requireText(reference.name, `${field}.secretRef.name`);
}

export const volumeSourceRules: readonly VolumeSourceRule[] = [
  { name: 'emptyDir', rule: emptyDirectory },
  { name: 'hostPath', rule: (volume, path) => validateHostPath(volume.hostPath, `${path}.hostPath`) },
  { name: 'gitRepo', rule: gitRepository },
  source('gcePersistentDisk', validateGcePersistentDisk, 'persistentDisk'),
  source('awsElasticBlockStore', validateAwsElasticBlockStore),
  {
    name: 'secret',
    rule: (volume, path) => keyed(volume.secret, volume.secret?.secretName, 'secretName', `${path}.secret`),
  },
  { name: 'nfs', rule: (volume, path) => validateNfs(volume.nfs, `${path}.nfs`) },
  { name: 'iscsi', rule: iscsi },
  fields('glusterfs', ['endpoints', 'path']),
  source('flocker', validateFlocker),
  fields('persistentVolumeClaim', ['claimName']),
  fields('rbd', ['monitors', 'image']),
  source('cinder', (cinder, field) => [
    ...requireFields(cinder, ['volumeID'], field),
    ...secretName(cinder.secretRef, field),
  ]),
  { ...fields('cephfs', ['monitors']), shownAs: 'cephFS' },
  source('quobyte', validateQuobyte),
  { name: 'downwardAPI', shownAs: 'downwarAPI', rule: downwardApi },
  source('fc', validateFibreChannel),
  source('flexVolume', (flex, field) => [
    ...requireFields(flex, ['driver'], field),
    ...validateFlexOptions(flex.options, `${field}.options`),
  ]),
  {
    name: 'configMap',
    rule: (volume, path) => keyed(volume.configMap, volume.configMap?.name, 'name', `${path}.configMap`),
  },
  fields('azureFile', ['secretName', 'shareName']),
  fields('vsphereVolume', ['volumePath']),
  fields('photonPersistentDisk', ['pdID']),
  fields('portworxVolume', ['volumeID']),
  source('azureDisk', validateAzureDisk),
  source('storageos', (storage, field) => [
    ...validateStorageOsNames(storage, field),
    ...secretName(storage.secretRef, field),
  ]),
  { name: 'projected', rule: projected },
  fields('scaleIO', ['gateway', 'system', 'volumeName']),
  { name: 'csi', rule: containerStorageInterface },
  { name: 'ephemeral', rule: ephemeral },
  { name: 'image', rule: image },
];

function iscsi(volume: Volume, path: string): FieldError[] {
  if (volume.iscsi === undefined) return [];
  const name = volume.name ?? '';
  return [
    ...validateIscsi(volume.iscsi, `${path}.iscsi`),
    ...validateTargetName(name, volume.iscsi, `${path}.name`, name),
  ];
}

function emptyDirectory(volume: Volume, path: string): FieldError[] {
  const limit = volume.emptyDir?.sizeLimit;
  if (limit === undefined || !isNegative(limit)) return [];
  return [forbiddenField(`${path}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

export function validateHostPath(source: Volume['hostPath'], field: string): FieldError[] {
  if (!source?.path) return [required(`${field}.path`, '')];
  return [
    ...noBacksteps(source.path, `${field}.path`),
    ...optionalOneOf(source.type, HOST_PATH_TYPES, `${field}.type`),
  ];
}

function gitRepository(volume: Volume, path: string): FieldError[] {
  const field = `${path}.gitRepo`;
  return [
    ...requireText(volume.gitRepo?.repository, `${field}.repository`),
    ...descendingPath(volume.gitRepo?.directory ?? '', `${field}.directory`),
  ];
}

export function validateNfs(source: Volume['nfs'], field: string): FieldError[] {
  const path = source?.path ?? '';
  return [
    ...requireText(source?.server, `${field}.server`),
    ...requireText(path, `${field}.path`),
    ...(path.startsWith('/') ? [] : [invalidValue(`${field}.path`, path, 'must be an absolute path')]),
  ];
}

interface Keyed {
  readonly items?: KeyToPath[] | undefined;
  readonly defaultMode?: number | undefined;
}

function keyed(source: Keyed | undefined, name: string | undefined, nameField: string, field: string): FieldError[] {
  return [
    ...requireText(name, `${field}.${nameField}`),
    ...fileMode(source?.defaultMode, `${field}.defaultMode`),
    ...each(source?.items, `${field}.items`, validateKeyToPath),
  ];
}

function downwardApi(volume: Volume, path: string): FieldError[] {
  const field = `${path}.downwardAPI`;
  return [
    ...fileMode(volume.downwardAPI?.defaultMode, `${field}.defaultMode`),
    ...errorsOfEach(volume.downwardAPI?.items, (file) => validateDownwardFile(file, field)),
  ];
}

function projected(volume: Volume, path: string): FieldError[] {
  const field = `${path}.projected`;
  return [
    ...fileMode(volume.projected?.defaultMode, `${field}.defaultMode`),
    ...validateProjections(volume.projected?.sources, field),
  ];
}

function containerStorageInterface(volume: Volume, path: string): FieldError[] {
  const field = `${path}.csi`;
  const errors = validateDriverName(volume.csi?.driver, `${field}.driver`);
  const secret = volume.csi?.nodePublishSecretRef;
  if (secret === undefined) return errors;
  if (!secret.name) return [...errors, required(`${field}.nodePublishSecretRef.name`, '')];
  return [...errors, ...invalidFor(`${field}.name`, secret.name, nameIsDnsSubdomain(secret.name, false))];
}

function ephemeral(volume: Volume, path: string): FieldError[] {
  const field = `${path}.ephemeral.volumeClaimTemplate`;
  const template = volume.ephemeral?.volumeClaimTemplate;
  return template === undefined ? [required(field, '')] : validateClaimTemplate(template, field);
}

function image(volume: Volume, path: string, isPod: boolean): FieldError[] {
  const field = `${path}.image`;
  return [
    ...(isPod ? requireText(volume.image?.reference, `${field}.reference`) : []),
    ...requireOneOf(volume.image?.pullPolicy, ['Always', 'IfNotPresent', 'Never'], `${field}.pullPolicy`),
  ];
}
