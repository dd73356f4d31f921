import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEntries,
  IMMUTABLE_MESSAGE,
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  validateImmutable,
} from '@binnacle/apimachinery/validation';
import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from '../../generated/types/core-v1.js';
import { fieldNamed, typeNamed } from '../../table/index.js';
import { list, optionalOneOf, shownMap, wholeMetadata } from '../common.js';
import { jsonDifference } from '../difference.js';
import { className, VOLUME_MODES, validateAccessModes } from '../volumes/persistent-volume-claim.js';
import { PERSISTENT_VOLUME_SOURCES, validatePersistentVolumeSources } from './persistent-volume-sources.js';
import { validateNodeSelector } from '../pod/affinity.js';
import { validatePositiveQuantity } from '../quantities.js';

// Upstream: `ValidatePersistentVolume`.

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
/** The stable names of node labels that were in beta. */
const STABLE_LABELS: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);
const INLINE = 'in the context of inline volumes';

export function validatePersistentVolume(object: PersistentVolume): FieldError[] {
  const spec = object.spec ?? {};
  return [
    ...modes(spec, 'spec'),
    ...capacity(spec, 'spec.capacity'),
    ...optionalOneOf(
      spec.persistentVolumeReclaimPolicy || undefined,
      RECLAIM_POLICIES,
      'spec.persistentVolumeReclaimPolicy',
    ),
    ...nodeAffinity(spec, 'spec.nodeAffinity'),
    ...validatePersistentVolumeSources(spec, object.metadata?.name ?? '', 'spec'),
    ...recycledRoot(spec, 'spec'),
    ...className(spec.storageClassName, 'spec.storageClassName'),
    ...optionalOneOf(spec.volumeMode, VOLUME_MODES, 'spec.volumeMode'),
    ...attributesClass(spec, 'spec'),
  ];
}

/** A volume inlined in an attachment holds only the fields that a driver needs to attach it. */
export function validateInlineVolume(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const forbidden = (name: string): FieldError => forbiddenField(`${field}.${name}`, `may not be specified ${INLINE}`);
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  return [
    ...(spec.claimRef === undefined ? [] : [forbidden('claimRef')]),
    ...(Object.keys(spec.capacity ?? {}).length === 0 ? [] : [forbidden('capacity')]),
    ...(spec.csi === undefined ? [required(`${field}.csi`, `has to be specified ${INLINE}`)] : []),
    ...modes(spec, field),
    ...(policy && policy !== 'Retain'
      ? [forbiddenField(`${field}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)]
      : []),
    ...(spec.nodeAffinity === undefined ? [] : [forbidden('nodeAffinity')]),
    ...validatePersistentVolumeSources(spec, '', field),
    ...recycledRoot(spec, field),
    ...(spec.storageClassName ? [forbidden('storageClassName')] : []),
    ...(volumeMode !== undefined && volumeMode !== 'Filesystem'
      ? [forbiddenField(`${field}.volumeMode`, `may not specify volumeMode other than Filesystem ${INLINE}`)]
      : []),
    ...attributesClass(spec, field),
  ];
}

function modes(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const path = `${field}.accessModes`;
  return [
    ...(list(spec.accessModes).length === 0 ? [required(path, '')] : []),
    ...validateAccessModes(spec.accessModes, path),
  ];
}

function capacity(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const amounts = spec.capacity ?? {};
  const names = Object.keys(amounts);
  return [
    ...(names.length === 0 ? [required(field, '')] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [notSupported(field, shownMap(spec.capacity), ['storage'])]),
    ...errorsOfEntries(amounts, (name, amount) => validatePositiveQuantity(amount, `${field}[${name}]`)),
  ];
}

function nodeAffinity(spec: PersistentVolumeSpec, field: string): FieldError[] {
  if (spec.nodeAffinity === undefined) return [];
  const selector = spec.nodeAffinity.required;
  if (selector === undefined) return [required(`${field}.required`, 'must specify required node constraints')];
  return validateNodeSelector(selector, `${field}.required`);
}

/** Whether a path without `..`, which other rules refuse, is the root. */
function isRoot(path: string): boolean {
  return path.startsWith('/') && path.split('/').every((part) => part === '' || part === '.');
}

function recycledRoot(spec: PersistentVolumeSpec, field: string): FieldError[] {
  if (!isRoot(spec.hostPath?.path ?? '') || spec.persistentVolumeReclaimPolicy !== 'Recycle') return [];
  return [forbiddenField(`${field}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")];
}

function attributesClass(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return [];
  const path = `${field}.volumeAttributesClassName`;
  return [
    ...(name === ''
      ? [required(path, 'an empty string is disallowed')]
      : invalidFor(path, name, nameIsDnsSubdomain(name, false))),
    ...(spec.csi === undefined
      ? [required(`${field}.csi`, 'has to be specified when using volumeAttributesClassName')]
      : []),
  ];
}

const VOLUME_SPEC = 'io.k8s.api.core.v1.PersistentVolumeSpec';

/** The source is immutable, except for the expansion secret. Node affinity may be set once. */
export function validatePersistentVolumeUpdate(object: PersistentVolume, old: PersistentVolume): FieldError[] {
  const errors = [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validatePersistentVolume(object)];
  const value = sourcesOf(object.spec, old.spec?.csi?.controllerExpandSecretRef === undefined);
  const before = sourcesOf(old.spec, false);
  if (!semanticEqual(value, before, typeNamed(VOLUME_SPEC))) {
    const detail = `spec.persistentvolumesource is immutable after creation\n${jsonDifference(before, value)}`;
    errors.push(forbiddenField('spec.persistentvolumesource', detail));
  }
  errors.push(...validateImmutable(object.spec?.volumeMode, old.spec?.volumeMode, 'volumeMode'));
  const affinity = object.spec?.nodeAffinity;
  const oldAffinity = old.spec?.nodeAffinity;
  if (oldAffinity !== undefined && !isSameAffinity(affinity, withLabelsOf(affinity, oldAffinity))) {
    const detail = `${IMMUTABLE_MESSAGE}, except for updating from beta label to GA`;
    errors.push(invalidValue('nodeAffinity', affinity, detail));
  }
  if (old.spec?.volumeAttributesClassName !== undefined && object.spec?.volumeAttributesClassName === undefined) {
    const detail = 'update from non-nil value to nil is forbidden';
    errors.push(forbiddenField('spec.volumeAttributesClassName', detail));
  }
  return errors;
}

function isSameAffinity(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): boolean {
  return semanticEqual(affinity, old, fieldNamed(VOLUME_SPEC, 'nodeAffinity'));
}

/** The old affinity, with beta labels renamed as in the new one. */
function withLabelsOf(affinity: VolumeNodeAffinity | undefined, old: VolumeNodeAffinity): VolumeNodeAffinity {
  if (old.required === undefined) return old;
  const terms = list(affinity?.required?.nodeSelectorTerms);
  const nodeSelectorTerms = list(old.required.nodeSelectorTerms).map((term, index) => ({
    ...term,
    ...(term.matchExpressions === undefined
      ? {}
      : { matchExpressions: renamed(term.matchExpressions, list(terms[index]?.matchExpressions)) }),
  }));
  return { ...old, required: { ...old.required, nodeSelectorTerms } };
}

function renamed(
  old: readonly NodeSelectorRequirement[],
  requirements: readonly NodeSelectorRequirement[],
): NodeSelectorRequirement[] {
  return old.map((requirement, index) => {
    const key = requirements[index]?.key;
    return key !== undefined && STABLE_LABELS.get(requirement.key) === key ? { ...requirement, key } : requirement;
  });
}

function sourcesOf(spec: PersistentVolumeSpec = {}, withoutExpandSecret: boolean): object {
  const sources: Record<string, unknown> = {};
  for (const name of PERSISTENT_VOLUME_SOURCES) if (spec[name] !== undefined) sources[name] = spec[name];
  if (withoutExpandSecret && spec.csi !== undefined) {
    const { controllerExpandSecretRef: _, ...csi } = spec.csi;
    sources['csi'] = csi;
  }
  return sources;
}
