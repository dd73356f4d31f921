import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, semanticEqual, validateRange } from '@binnacle/apimachinery/validation';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { Container, Pod, PodSpec, Toleration } from '../../generated/types/core-v1.js';
import { typeNamed } from '../../table/index.js';
import { each, list } from '../common.js';
import { jsonDifference } from '../difference.js';
import { validatePodAnnotationsUpdate } from './annotations.js';
import { gatedPodUpdate, withOldNodeAffinity } from './gated-pod.js';
import { validateChangedPod } from './pod.js';
import { validateTolerations } from './scheduling.js';
import { noPodSpec } from './template.js';

const POD_SPEC = 'io.k8s.api.core.v1.PodSpec';
const INT32_MAXIMUM = 2 ** 31 - 1;
const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Upstream: `ValidatePodUpdate`. */
export function validatePodUpdate(object: Pod, old: Pod): FieldError[] {
  return finish(validatePodUpdateInSteps(object, old));
}

/** {@link validatePodUpdate} in steps, for pods that may have many containers. */
export function* validatePodUpdateInSteps(object: Pod, old: Pod): Steps<FieldError[]> {
  const spec = object.spec ?? noPodSpec;
  const before = old.spec ?? noPodSpec;
  const errors = [...(yield* validateChangedPod(object)), ...annotationsUpdate(object, old)];
  for (const name of ['containers', 'initContainers'] as const) {
    if (list(spec[name]).length !== list(before[name]).length) {
      return [...errors, forbiddenField(`spec.${name}`, 'pod updates may not add or remove containers')];
    }
    errors.push(...images(spec[name], `spec.${name}`));
  }
  const deadline = activeDeadline(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  errors.push(...tolerations(spec.tolerations, before.tolerations));
  yield;
  errors.push(...gates(spec, before), ...frozenFields(spec, before));
  return errors;
}

function annotationsUpdate(object: Pod, old: Pod): FieldError[] {
  const annotations = object.metadata?.annotations;
  const before = old.metadata?.annotations;
  return validatePodAnnotationsUpdate(annotations, before, object.spec ?? noPodSpec, 'metadata.annotations');
}

function images(containers: readonly Container[] | undefined, field: string): FieldError[] {
  return each(containers, field, ({ image = '' }, path) => {
    if (image === '') return [required(`${path}.image`, '')];
    if (image.trim() === image) return [];
    return [invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace')];
  });
}

/** activeDeadlineSeconds may be set and lowered. */
function activeDeadline(spec: PodSpec, old: PodSpec): { errors: FieldError[]; stop: boolean } {
  const field = 'spec.activeDeadlineSeconds';
  const value = spec.activeDeadlineSeconds;
  if (value === undefined) {
    if (old.activeDeadlineSeconds === undefined) return { errors: [], stop: false };
    const detail = 'must not update from a positive integer to nil value';
    return { errors: [invalidValue(field, undefined, detail)], stop: false };
  }
  const errors = invalidFor(field, value, validateRange(value, 0, INT32_MAXIMUM));
  if (errors.length === 0 && old.activeDeadlineSeconds !== undefined && old.activeDeadlineSeconds < value) {
    errors.push(invalidValue(field, value, 'must be less than or equal to previous value'));
  }
  return { errors, stop: errors.length > 0 };
}

/** Tolerations may be added. Existing ones may change only their seconds. */
function tolerations(value: readonly Toleration[] | undefined, old: readonly Toleration[] | undefined): FieldError[] {
  const timeless = ({ tolerationSeconds: _, ...rest }: Toleration): object => rest;
  const kept = list(old).every((before) =>
    list(value).some((toleration) => semanticEqual(timeless(toleration), timeless(before))),
  );
  if (kept) return validateTolerations(value, 'spec.tolerations');
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function gates(spec: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set(list(old.schedulingGates).map(({ name }) => name));
  return each(spec.schedulingGates, 'spec.schedulingGates', ({ name }, path) =>
    known.has(name)
      ? []
      : [forbiddenField(`${path}.name`, `only deletion is allowed, but found new scheduling gate '${name}'`)],
  );
}

/** Restores every mutable field; any remaining difference is forbidden. */
function frozenFields(spec: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const masked = { ...spec };
  for (const name of ['containers', 'initContainers'] as const) {
    const restored = spec[name]?.map((container, index) => ({ ...container, image: old[name]?.[index]?.image }));
    if (restored !== undefined) masked[name] = restored;
  }
  masked.activeDeadlineSeconds = old.activeDeadlineSeconds;
  masked.schedulingGates = old.schedulingGates;
  masked.tolerations = old.tolerations;
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && Number(masked.terminationGracePeriodSeconds) === 1) {
    masked.terminationGracePeriodSeconds = old.terminationGracePeriodSeconds;
  }
  if (list(old.schedulingGates).length > 0) {
    errors.push(...gatedPodUpdate(spec, old));
    masked.nodeSelector = old.nodeSelector;
    masked.affinity = withOldNodeAffinity(spec.affinity, old.affinity);
  }
  if (semanticEqual(masked, old, typeNamed(POD_SPEC))) return errors;
  const difference = jsonDifference(old, masked);
  const detail = `pod updates may not change fields other than ${CHANGEABLE}\n${difference}`;
  return [...errors, forbiddenField('spec', detail)];
}
