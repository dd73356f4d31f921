import { type FieldError, forbiddenField, notSupported, required } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, semanticEqual, validateImmutable } from '@binnacle/apimachinery/validation';
import type { PersistentVolume, PersistentVolumeSpec } from '../generated/types/core-v1.js';
import { list, optionalOneOf, requireText, shownMap, wholeMetadata } from './common.js';
import { jsonDifference } from './difference.js';
import { noBacksteps } from './file-paths.js';
import { className, VOLUME_MODES, validateAccessModes } from './persistent-volume-claim.js';
import { validateNodeSelector } from './pod/affinity.js';
import { validateDriverName, validateHostPath, validateNfs } from './pod/volume-sources.js';
import { validatePositiveQuantity } from './quantities.js';

/** Upstream: `ValidatePersistentVolume`. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

export function validatePersistentVolume(object: PersistentVolume): FieldError[] {
  const spec = object.spec ?? {};
  const affinity = spec.nodeAffinity;
  return [
    ...(list(spec.accessModes).length === 0 ? [required('spec.accessModes', '')] : []),
    ...validateAccessModes(spec.accessModes, 'spec.accessModes'),
    ...capacity(spec),
    ...optionalOneOf(
      spec.persistentVolumeReclaimPolicy || undefined,
      ['Delete', 'Recycle', 'Retain'],
      'spec.persistentVolumeReclaimPolicy',
    ),
    ...(affinity === undefined
      ? []
      : affinity.required === undefined
        ? [required('spec.nodeAffinity.required', 'must specify required node constraints')]
        : validateNodeSelector(affinity.required, 'spec.nodeAffinity.required')),
    ...sources(spec),
    ...className(spec.storageClassName, 'spec.storageClassName'),
    ...optionalOneOf(spec.volumeMode, VOLUME_MODES, 'spec.volumeMode'),
  ];
}

function capacity(spec: PersistentVolumeSpec): FieldError[] {
  const amounts = spec.capacity ?? {};
  const names = Object.keys(amounts);
  return [
    ...(names.length === 0 ? [required('spec.capacity', '')] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [notSupported('spec.capacity', shownMap(spec.capacity), ['storage'])]),
    ...Object.entries(amounts).flatMap(([name, amount]) => validatePositiveQuantity(amount, `spec.capacity[${name}]`)),
  ];
}

function sources(spec: PersistentVolumeSpec): FieldError[] {
  const present = SOURCES.filter((name) => spec[name] !== undefined);
  if (present.length === 0) return [required('spec', 'must specify a volume type')];
  return present.flatMap((name, index) =>
    index === 0 ? source(spec, name) : [forbiddenField(`spec.${name}`, 'may not specify more than 1 volume type')],
  );
}

function source(spec: PersistentVolumeSpec, name: (typeof SOURCES)[number]): FieldError[] {
  switch (name) {
    case 'hostPath':
      return [...validateHostPath(spec.hostPath, 'spec.hostPath'), ...recycledRoot(spec)];
    case 'nfs':
      return validateNfs(spec.nfs, 'spec.nfs');
    case 'csi':
      return [
        ...validateDriverName(spec.csi?.driver, 'spec.csi.driver'),
        ...requireText(spec.csi?.volumeHandle, 'spec.csi.volumeHandle'),
      ];
    case 'local':
      return [
        ...(spec.local?.path ? noBacksteps(spec.local.path, 'spec.local.path') : [required('spec.local.path', '')]),
        ...(spec.nodeAffinity === undefined
          ? [required('spec.nodeAffinity', 'Local volume requires node affinity')]
          : []),
      ];
    default:
      return [];
  }
}

function recycledRoot(spec: PersistentVolumeSpec): FieldError[] {
  const root = /^\/+(?:\.?\/*)*$/.test(spec.hostPath?.path ?? '');
  if (!root || spec.persistentVolumeReclaimPolicy !== 'Recycle') return [];
  return [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")];
}

/** The source never changes; node affinity may be set once. */
export function validatePersistentVolumeUpdate(object: PersistentVolume, old: PersistentVolume): FieldError[] {
  const errors = [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validatePersistentVolume(object)];
  const pick = (spec: PersistentVolumeSpec = {}): object =>
    Object.fromEntries(SOURCES.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])));
  const value = pick(object.spec);
  const before = pick(old.spec);
  if (!semanticEqual(value, before)) {
    const detail = `spec.persistentvolumesource is immutable after creation\n${jsonDifference(before, value)}`;
    errors.push(forbiddenField('spec.persistentvolumesource', detail));
  }
  errors.push(...validateImmutable(object.spec?.volumeMode, old.spec?.volumeMode, 'volumeMode'));
  if (old.spec?.nodeAffinity !== undefined) {
    const changed = validateImmutable(object.spec?.nodeAffinity, old.spec.nodeAffinity, 'nodeAffinity');
    errors.push(
      ...changed.map((error) => ({ ...error, detail: `${error.detail}, except for updating from beta label to GA` })),
    );
  }
  return errors;
}
