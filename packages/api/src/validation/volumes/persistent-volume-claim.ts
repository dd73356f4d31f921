import { Quantity } from '@binnacle/apimachinery/quantity';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  errorsOfEntries,
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  validateAnnotations,
  validateImmutable,
  validateLabels,
} from '@binnacle/apimachinery/validation';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
} from '../../generated/types/core-v1.js';
import { typeNamed } from '../../table/index.js';
import {
  dnsLabel,
  finalizerDomains,
  forbiddenTemplateMetadata,
  list,
  optionalOneOf,
  qualifiedName,
  requireText,
  wholeMetadata,
} from '../common.js';
import { jsonDifference } from '../difference.js';
import { type GoStruct, shownStruct } from '../go-struct.js';
import { labelSelector } from '../label-selector.js';
import { compareQuantities, isNativeResource, validatePositiveQuantity } from '../quantities.js';

// Upstream: `ValidatePersistentVolumeClaim`.

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
/** How messages show a claim's spec. */
const SHOWN_SOURCE: GoStruct = { APIGroup: ['apiGroup', null], Kind: ['kind', ''], Name: ['name', ''] };
const SHOWN_SPEC: GoStruct = {
  AccessModes: ['accessModes', null],
  Selector: ['selector', null],
  Resources: ['resources', {}, { Limits: ['limits', null], Requests: ['requests', null] }],
  VolumeName: ['volumeName', ''],
  StorageClassName: ['storageClassName', null],
  VolumeMode: ['volumeMode', null],
  DataSource: ['dataSource', null, SHOWN_SOURCE],
  DataSourceRef: ['dataSourceRef', null, { ...SHOWN_SOURCE, Namespace: ['namespace', null] }],
  VolumeAttributesClassName: ['volumeAttributesClassName', null],
};
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
export const VOLUME_MODES = ['Block', 'Filesystem'];

export function validatePersistentVolumeClaim(object: PersistentVolumeClaim): FieldError[] {
  return validateClaimSpec(object.spec ?? {}, 'spec');
}

export function validateAccessModes(modes: readonly string[] | undefined, field: string): FieldError[] {
  const errors = errorsOfEach(modes, (mode) => optionalOneOf(mode, ACCESS_MODES, field));
  const known = list(modes).filter((mode) => ACCESS_MODES.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbiddenField(field, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

export function className(name: string | undefined, field: string): FieldError[] {
  return name ? invalidFor(field, name, nameIsDnsSubdomain(name, false)) : [];
}

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const storage = spec.resources?.requests?.['storage'];
  const size = `${field}.resources[storage]`;
  return [
    ...(list(spec.accessModes).length === 0
      ? [required(`${field}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...labelSelector(spec.selector, `${field}.selector`),
    ...validateAccessModes(spec.accessModes, `${field}.accessModes`),
    ...(storage === undefined ? [required(size, '')] : validatePositiveQuantity(storage, size)),
    ...className(spec.storageClassName, `${field}.storageClassName`),
    ...optionalOneOf(spec.volumeMode, VOLUME_MODES, `${field}.volumeMode`),
    ...dataSource(spec.dataSource, `${field}.dataSource`),
    ...dataSource(spec.dataSourceRef, `${field}.dataSourceRef`),
    ...(spec.dataSourceRef?.namespace
      ? dnsLabel(spec.dataSourceRef.namespace, `${field}.dataSourceRef.namespace`)
      : []),
    ...sameSource(spec, field),
    ...className(spec.volumeAttributesClassName, `${field}.volumeAttributesClassName`),
  ];
}

function dataSource(source: PersistentVolumeClaimSpec['dataSourceRef'], field: string): FieldError[] {
  if (source === undefined) return [];
  const errors = [...requireText(source.name, `${field}.name`), ...requireText(source.kind, `${field}.kind`)];
  const group = source.apiGroup ?? '';
  if (group !== '') return [...errors, ...invalidFor(`${field}.apiGroup`, group, nameIsDnsSubdomain(group, false))];
  if (source.kind === 'PersistentVolumeClaim') return errors;
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [...errors, invalidValue(field, source.kind ?? '', detail)];
}

/** `dataSource` and `dataSourceRef` name the same object. Only `dataSourceRef` can name one in another namespace. */
function sameSource(spec: PersistentVolumeClaimSpec, field: string): FieldError[] {
  const { dataSource: source, dataSourceRef: reference } = spec;
  if (source === undefined || reference === undefined) return [];
  // Upstream passes a path where it means the value, so the message shows an empty value.
  const problem = (detail: string): FieldError[] => [invalidValue(field, {}, detail)];
  if (reference.namespace) return problem('may not be specified when dataSourceRef.namespace is specified');
  const { namespace: _, ...local } = reference;
  return semanticEqual(source, local) ? [] : problem('must match dataSourceRef');
}

/** A claim template in a pod: of its metadata, only labels and annotations have an effect. */
export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, field: string): FieldError[] {
  const meta = template.metadata ?? {};
  return [
    ...validateAnnotations(meta.annotations, `${field}.metadata.annotations`),
    ...validateLabels(meta.labels, `${field}.metadata.labels`),
    ...forbiddenTemplateMetadata(meta, `${field}.metadata`),
    ...validateClaimSpec(template.spec ?? {}, `${field}.spec`),
  ];
}

const CLAIM_SPEC = 'io.k8s.api.core.v1.PersistentVolumeClaimSpec';

/** A bound claim may grow or change its volume attributes class. The volume's name may be set once. */
export function validatePersistentVolumeClaimUpdate(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): FieldError[] {
  const spec = object.spec ?? {};
  const before = old.spec ?? {};
  const bound = object.status?.phase === 'Bound';
  const masked: PersistentVolumeClaimSpec = { ...spec };
  if (!before.volumeName) masked.volumeName = before.volumeName;
  const annotation = old.metadata?.annotations?.[CLASS_ANNOTATION];
  const annotated = object.metadata?.annotations?.[CLASS_ANNOTATION];
  if (before.storageClassName === undefined && (annotation === undefined || annotation === spec.storageClassName)) {
    masked.storageClassName = before.storageClassName;
  }
  if (bound) {
    masked.resources = withStorageOf(spec.resources, before.resources);
    masked.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  const errors = [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...validatePersistentVolumeClaim(object),
  ];
  // The annotation may be removed if the spec's class replaces it.
  const moved =
    annotation !== undefined && before.storageClassName === undefined && spec.storageClassName === annotation;
  if ((annotated ?? '') !== (annotation ?? '') && !(moved && annotated === undefined)) {
    const field = `metadata.annotations.${CLASS_ANNOTATION}`;
    errors.push(invalidValue(field, annotated ?? '', 'field is immutable'));
  }
  if (!semanticEqual(masked, before, typeNamed(CLAIM_SPEC))) {
    const what =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(
      forbiddenField(
        'spec',
        `${what}\n${jsonDifference(shownStruct(before, SHOWN_SPEC), shownStruct(masked, SHOWN_SPEC))}`,
      ),
    );
  }
  errors.push(...shrinking(object, old));
  errors.push(...validateImmutable(spec.volumeMode, before.volumeMode, 'volumeMode'));
  return [...errors, ...attributesClassUpdate(object, old)];
}

/** A claim cannot drop its volume attributes class once it has one. */
function attributesClassUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const name = object.spec?.volumeAttributesClassName;
  if (name || name === old.spec?.volumeAttributesClassName) return [];
  if (old.status?.currentVolumeAttributesClassName === undefined) return [];
  const what = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbiddenField('spec.volumeAttributesClassName', detail)];
}

function withStorageOf(
  resources: PersistentVolumeClaimSpec['resources'],
  old: PersistentVolumeClaimSpec['resources'],
): PersistentVolumeClaimSpec['resources'] {
  const storage = old?.requests?.['storage'];
  if (resources?.requests === undefined || storage === undefined) return resources;
  return { ...resources, requests: { ...resources.requests, storage } };
}

/** A request may shrink only to the volume's actual size, to recover from a failed expansion. */
function shrinking(object: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const size = object.spec?.resources?.requests?.['storage'] ?? '0';
  const before = old.spec?.resources?.requests?.['storage'] ?? '0';
  const capacity = old.status?.capacity?.['storage'] ?? '0';
  if (compareQuantities(size, before) >= 0 || compareQuantities(size, capacity) > 0) return [];
  return [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Upstream: `ValidatePersistentVolumeClaimStatusUpdate`. */
export function validatePersistentVolumeClaimStatusUpdate(object: PersistentVolumeClaim): FieldError[] {
  const { capacity, allocatedResources, allocatedResourceStatuses } = object.status ?? {};
  const states = 'status.allocatedResourceStatuses';
  const allocated = 'status.allocatedResources';
  return [
    ...finalizerDomains(object),
    ...(list(object.spec?.accessModes).length === 0 ? [required('Spec.accessModes', '')] : []),
    ...errorsOfEntries(capacity, (name, amount) => basicAmount(amount, `status.capacity[${name}]`)),
    ...errorsOfEntries(allocatedResourceStatuses, (name, state) => [
      ...claimResource(name, states),
      ...(RESIZE_STATES.includes(state) ? [] : [notSupported(states, name, [...RESIZE_STATES].sort())]),
    ]),
    ...errorsOfEntries(allocatedResources, (name, amount) => {
      const errors = claimResource(name, allocated);
      return errors.length > 0 ? errors : basicAmount(amount, `${allocated}[${name}]`);
    }),
  ];
}

function basicAmount(amount: string, field: string): FieldError[] {
  const quantity = Quantity.parse(amount);
  if (quantity.sign >= 0) return [];
  return [invalidValue(field, quantity.asInt(), 'must be a valid resource quantity')];
}

function claimResource(name: string, field: string): FieldError[] {
  const errors = qualifiedName(name, field);
  if (errors.length > 0 || !isNativeResource(name) || name === 'storage') return errors;
  return [notSupported(field, name, ['storage'])];
}
