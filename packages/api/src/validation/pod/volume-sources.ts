import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  utf8Length,
  validateDns1123Subdomain,
} from '@binnacle/apimachinery/validation';
import type { KeyToPath, Volume } from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf, requireOneOf, requireText } from '../common.js';
import { descendingPath, fileMode, noBacksteps } from '../file-paths.js';
import { validateClaimTemplate } from '../persistent-volume-claim.js';
import { isNegative } from '../quantities.js';
import { validateProjections } from './projected-volume.js';
import { validateDownwardFile, validateKeyToPath } from './volume-files.js';

/** One kind of volume, in upstream's order of looking. Upstream: `validateVolumeSource`. */
export interface VolumeSourceRule {
  readonly name: Exclude<keyof Volume, 'name'>;
  /** The name in the message on a second source, where upstream's differs. */
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

function texts(
  name: Exclude<keyof Volume, 'name'>,
  fields: readonly string[],
  at = name as string,
): VolumeSourceRule['rule'] {
  return (volume, path) => {
    const source = volume[name] as unknown as Readonly<Record<string, unknown>>;
    return fields.filter((field) => !source[field]).map((field) => required(`${path}.${at}.${field}`, ''));
  };
}

export const volumeSourceRules: readonly VolumeSourceRule[] = [
  { name: 'emptyDir', rule: emptyDirectory },
  { name: 'hostPath', rule: (volume, path) => validateHostPath(volume.hostPath, `${path}.hostPath`) },
  { name: 'gitRepo', rule: gitRepository },
  { name: 'gcePersistentDisk', rule: texts('gcePersistentDisk', ['pdName'], 'persistentDisk') },
  { name: 'awsElasticBlockStore', rule: texts('awsElasticBlockStore', ['volumeID']) },
  {
    name: 'secret',
    rule: (volume, path) => keyed(volume.secret, volume.secret?.secretName, 'secretName', `${path}.secret`),
  },
  { name: 'nfs', rule: (volume, path) => validateNfs(volume.nfs, `${path}.nfs`) },
  { name: 'iscsi', rule: texts('iscsi', ['targetPortal', 'iqn']) },
  { name: 'glusterfs', rule: texts('glusterfs', ['endpoints', 'path']) },
  { name: 'flocker', rule: () => [] },
  { name: 'persistentVolumeClaim', rule: texts('persistentVolumeClaim', ['claimName']) },
  { name: 'rbd', rule: texts('rbd', ['monitors', 'image']) },
  { name: 'cinder', rule: texts('cinder', ['volumeID']) },
  { name: 'cephfs', shownAs: 'cephFS', rule: texts('cephfs', ['monitors']) },
  { name: 'quobyte', rule: texts('quobyte', ['registry', 'volume']) },
  { name: 'downwardAPI', shownAs: 'downwarAPI', rule: downwardApi },
  { name: 'fc', rule: () => [] },
  { name: 'flexVolume', rule: texts('flexVolume', ['driver']) },
  {
    name: 'configMap',
    rule: (volume, path) => keyed(volume.configMap, volume.configMap?.name, 'name', `${path}.configMap`),
  },
  { name: 'azureFile', rule: texts('azureFile', ['secretName', 'shareName']) },
  { name: 'vsphereVolume', rule: texts('vsphereVolume', ['volumePath']) },
  { name: 'photonPersistentDisk', rule: texts('photonPersistentDisk', ['pdID']) },
  { name: 'portworxVolume', rule: texts('portworxVolume', ['volumeID']) },
  { name: 'azureDisk', rule: texts('azureDisk', ['diskName', 'diskURI']) },
  { name: 'storageos', rule: texts('storageos', ['volumeName']) },
  { name: 'projected', rule: projected },
  { name: 'scaleIO', rule: texts('scaleIO', ['gateway', 'system', 'volumeName']) },
  { name: 'csi', rule: containerStorageInterface },
  { name: 'ephemeral', rule: ephemeral },
  { name: 'image', rule: image },
];

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
    ...list(volume.downwardAPI?.items).flatMap((file) => validateDownwardFile(file, field)),
  ];
}

function projected(volume: Volume, path: string): FieldError[] {
  const field = `${path}.projected`;
  return [
    ...fileMode(volume.projected?.defaultMode, `${field}.defaultMode`),
    ...validateProjections(volume.projected?.sources, field),
  ];
}

/** A CSI driver's name: a DNS subdomain of at most 63 bytes, whose case does not matter. */
export function validateDriverName(name: string | undefined, field: string): FieldError[] {
  const driver = name ?? '';
  return [
    ...requireText(driver, field),
    ...(utf8Length(driver) > 63 ? [tooLong(field, 63)] : []),
    ...invalidFor(field, driver, validateDns1123Subdomain(driver.toLowerCase())),
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
