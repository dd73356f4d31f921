import type { ObjectMeta } from '../meta/index.js';
import { type FieldError, forbiddenField, invalidValue, required } from '../status/index.js';
import { validateAnnotations } from './annotations.js';
import { invalidFor, validateImmutable, validateNonNegative } from './field-rules.js';
import { validateFinalizers, validateNoNewFinalizers } from './finalizers.js';
import { validateLabels } from './labels.js';
import { validateManagedFields } from './managed-fields.js';
import { type NameRule, nameIsDnsLabel, nameIsPathSegment } from './names.js';
import { validateOwnerReferences } from './owner-references.js';

export interface ObjectMetaOptions {
  readonly namespaced: boolean;
  /** The kind's rule for names. Default: one path segment, the minimal rule. */
  readonly validateName?: NameRule;
  /** Default: `metadata`. */
  readonly path?: string;
}

/**
 * Validates metadata by the rules of every kind. Names have been generated before. Upstream: apimachinery
 * `pkg/api/validation/objectmeta.go` (`ValidateObjectMeta`).
 */
export function validateObjectMeta(meta: Readonly<ObjectMeta>, options: ObjectMetaOptions): FieldError[] {
  const path = options.path ?? 'metadata';
  return [
    ...validateNames(meta, options.validateName ?? nameIsPathSegment, path),
    ...validateNamespace(meta.namespace ?? '', options.namespaced, `${path}.namespace`),
    ...validateNonNegative(meta.generation, `${path}.generation`),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`),
    ...validateFinalizers(meta.finalizers, `${path}.finalizers`),
    ...validateManagedFields(meta.managedFields, `${path}.managedFields`),
  ];
}

function validateNames(meta: Readonly<ObjectMeta>, rule: NameRule, path: string): FieldError[] {
  const prefix = meta.generateName ?? '';
  const name = meta.name ?? '';
  return [
    ...(prefix === '' ? [] : invalidFor(`${path}.generateName`, prefix, rule(prefix, true))),
    ...(name === ''
      ? [required(`${path}.name`, 'name or generateName is required')]
      : invalidFor(`${path}.name`, name, rule(name, false))),
  ];
}

function validateNamespace(namespace: string, namespaced: boolean, field: string): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  if (namespace === '') return [required(field, '')];
  return invalidFor(field, namespace, nameIsDnsLabel(namespace, false));
}

/**
 * Validates changes of stored metadata, and its fields. Upstream: apimachinery `pkg/api/validation/objectmeta.go`
 * (`ValidateObjectMetaUpdate`).
 */
export function validateObjectMetaUpdate(
  meta: Readonly<ObjectMeta>,
  old: Readonly<ObjectMeta>,
  path = 'metadata',
): FieldError[] {
  return [
    ...(isPresent(old.deletionTimestamp)
      ? validateNoNewFinalizers(meta.finalizers, old.finalizers, `${path}.finalizers`)
      : []),
    ...(meta.resourceVersion
      ? []
      : [invalidValue(`${path}.resourceVersion`, meta.resourceVersion ?? '', 'must be specified for an update')]),
    ...validateGeneration(meta, old, `${path}.generation`),
    ...validateImmutable(meta.name ?? '', old.name ?? '', `${path}.name`),
    ...validateImmutable(meta.namespace ?? '', old.namespace ?? '', `${path}.namespace`),
    ...validateImmutable(meta.uid ?? '', old.uid ?? '', `${path}.uid`),
    ...validateImmutable(meta.creationTimestamp, old.creationTimestamp, `${path}.creationTimestamp`),
    ...validateImmutable(meta.deletionTimestamp, old.deletionTimestamp, `${path}.deletionTimestamp`),
    ...validateImmutable(
      meta.deletionGracePeriodSeconds,
      old.deletionGracePeriodSeconds,
      `${path}.deletionGracePeriodSeconds`,
    ),
    ...validateLabels(meta.labels, `${path}.labels`),
    ...validateAnnotations(meta.annotations, `${path}.annotations`),
    ...validateOwnerReferences(meta.ownerReferences, `${path}.ownerReferences`),
    ...validateManagedFields(meta.managedFields, `${path}.managedFields`),
  ];
}

function validateGeneration(meta: Readonly<ObjectMeta>, old: Readonly<ObjectMeta>, field: string): FieldError[] {
  const errors = validateNonNegative(meta.generation, field);
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalidValue(field, meta.generation ?? 0, 'must not be decremented'));
  }
  return errors;
}

function isPresent(timestamp: string | null | undefined): boolean {
  return timestamp !== undefined && timestamp !== null && timestamp !== '';
}
