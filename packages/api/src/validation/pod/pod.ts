import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { Container, Pod } from '../../generated/types/core-v1.js';
import { each, finalizerDomains, list, wholeMetadata } from '../common.js';
import { validatePodAnnotations } from './annotations.js';
import { validatePodSpecInSteps } from './pod-spec.js';
import { validateProfilesAgree } from './security-annotations.js';
import { noPodSpec } from './template.js';

/** Rules of both creates and updates. Upstream: `validatePodMetadataAndSpec`. */
function* validatePodMetadataAndSpec(object: Pod): Steps<FieldError[]> {
  const spec = object.spec ?? noPodSpec;
  return [
    ...validatePodAnnotations(object.metadata?.annotations, spec, 'metadata.annotations'),
    ...(yield* validatePodSpecInSteps(spec, 'spec', { podName: object.metadata?.name, isPod: true })),
    ...tokenSources(object),
    ...images(spec.containers, 'spec.containers'),
    ...images(spec.initContainers, 'spec.initContainers'),
  ];
}

/** Rules of every update but that of the status. */
export function* validateChangedPod(object: Pod): Steps<FieldError[]> {
  return [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...(yield* validatePodMetadataAndSpec(object)),
  ];
}

/** Upstream: `ValidatePodCreate`. */
export function validatePod(object: Pod): FieldError[] {
  return finish(validatePodInSteps(object));
}

/** {@link validatePod} in steps, for pods that may have many containers. */
export function* validatePodInSteps(object: Pod): Steps<FieldError[]> {
  const errors = yield* validatePodMetadataAndSpec(object);
  yield;
  if (list(object.spec?.ephemeralContainers).length > 0) {
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (object.spec?.nodeName && list(object.spec.schedulingGates).length > 0) {
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  errors.push(...validateProfilesAgree(object.metadata, object.spec ?? noPodSpec, 'spec'));
  return errors;
}

function tokenSources(object: Pod): FieldError[] {
  if (object.spec?.serviceAccountName) return [];
  return each(object.spec?.volumes, 'spec.volumes', (volume, path) =>
    each(volume.projected?.sources, `${path}.projected.sources`, (source, sourcePath) =>
      source.serviceAccountToken === undefined
        ? []
        : [
            forbiddenField(
              `${sourcePath}.serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  );
}

function images(containers: readonly Container[] | undefined, field: string): FieldError[] {
  return each(containers, field, ({ image = '' }, path) =>
    image.trim() === image
      ? []
      : [invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace')],
  );
}
