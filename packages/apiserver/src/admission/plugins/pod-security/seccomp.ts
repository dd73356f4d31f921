import type { Container } from '@binnacle/api/types/core-v1';
import { type Finding, containersOf, named, namesOf, plural, type PodToCheck, quotedSet, setters } from './check.js';

const POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';
const REASON = 'seccompProfile';

/** Annotations set the profile before the field existed. */
export function baselineSeccompAnnotations({ annotations, spec }: PodToCheck): Finding | undefined {
  const keys = [POD_ANNOTATION, ...containersOf(spec).map(({ name }) => CONTAINER_ANNOTATION + name)];
  const bad = keys.flatMap((key) => {
    const value = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    return value === undefined || isAllowedAnnotation(value) ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  if (bad.length === 0) return undefined;
  const different = [...new Set(bad)].sort();
  const what = plural('annotation', 'annotations', different.length);
  return { reason: REASON, detail: `forbidden ${what} ${different.join(', ')}` };
}

export function baselineSeccomp({ spec }: PodToCheck): Finding | undefined {
  const podType = spec.securityContext?.seccompProfile?.type;
  const bad = containersOf(spec).filter((container) => isForbidden(typeOf(container)));
  if (!isForbidden(podType) && bad.length === 0) return undefined;
  const types = [podType, ...bad.map(typeOf)].filter(isForbidden);
  const who = setters(isForbidden(podType), namesOf(bad));
  return { reason: REASON, detail: `${who} must not set securityContext.seccompProfile.type to ${quotedSet(types)}` };
}

export function restrictedSeccomp(pod: PodToCheck): Finding | undefined {
  const explicit = baselineSeccomp(pod);
  if (explicit !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return explicit;
  const silent = containersOf(pod.spec).filter((container) => typeOf(container) === undefined);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${named(namesOf(silent))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: REASON, detail };
}

function typeOf({ securityContext }: Container): string | undefined {
  return securityContext?.seccompProfile?.type;
}

function isForbidden(type: string | undefined): type is string {
  return type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
}

function isAllowedAnnotation(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}
