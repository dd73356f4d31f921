import { type FieldError, forbiddenField } from '@binnacle/apimachinery/status';
import { errorsOfEach, semanticEqual } from '@binnacle/apimachinery/validation';
import { finish } from '@binnacle/apimachinery/work';
import type { EphemeralContainer, Pod } from '../../generated/types/core-v1.js';
import { isMirrorPod } from '../../pods/index.js';
import { typeNamed } from '../../table/index.js';
import { list } from '../common.js';
import { jsonDifference } from '../difference.js';
import { validatePodAnnotationsUpdate } from './annotations.js';
import { validateChangedPod } from './pod.js';
import { noPodSpec } from './template.js';

const EPHEMERAL_CONTAINER = 'io.k8s.api.core.v1.EphemeralContainer';

/** Ephemeral containers may be added, and never changed or removed. Upstream: `ValidatePodEphemeralContainersUpdate`. */
export function validatePodEphemeralContainersUpdate(object: Pod, old: Pod): FieldError[] {
  if (isMirrorPod(old)) return [forbiddenField('', 'static pods do not support ephemeral containers')];
  const spec = object.spec ?? noPodSpec;
  const field = 'spec.ephemeralContainers';
  const byName = new Map(list(spec.ephemeralContainers).map((container) => [container.name, container]));
  const changed = errorsOfEach(old.spec?.ephemeralContainers, (before: EphemeralContainer) => {
    const container = byName.get(before.name);
    const what = `existing ephemeral containers "${before.name}" may not be`;
    if (container === undefined) return [forbiddenField(field, `${what} removed\n`)];
    if (semanticEqual(before, container, typeNamed(EPHEMERAL_CONTAINER))) return [];
    return [forbiddenField(field, `${what} changed\n${jsonDifference(before, container)}`)];
  });
  const annotations = object.metadata?.annotations;
  return [
    ...finish(validateChangedPod(object)),
    ...validatePodAnnotationsUpdate(annotations, old.metadata?.annotations, spec, 'metadata.annotations'),
    ...changed,
  ];
}
