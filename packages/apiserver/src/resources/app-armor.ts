import { APP_ARMOR_ANNOTATION, appArmorProfileOf } from '@binnacle/api/pods';
import type { Container, EphemeralContainer, Pod, PodSpec } from '@binnacle/api/types/core-v1';
import { validateAppArmorProfile } from '@binnacle/api/validation';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';

const DEPRECATED = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/**
 * Copies AppArmor profiles from annotations to the fields that replaced them; returns the warnings. A field wins over
 * its annotation, and a profile that the pod already has is not copied. Upstream: `applyAppArmorVersionSkew`.
 */
export function copyAppArmorAnnotations({ metadata, spec }: Pod): string[] {
  if (spec === undefined || spec.os?.name === 'windows') return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  return everyContainer(spec).flatMap((container) => {
    const annotation = annotationOf(metadata, container);
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return [];
    const profile = appArmorProfileOf(annotation);
    const usable = profile !== undefined && validateAppArmorProfile(profile, '').length === 0;
    if (usable && semanticEqual(profile, ofPod)) return [];
    if (usable) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    return [`metadata.annotations[${APP_ARMOR_ANNOTATION}${container.name}]: ${DEPRECATED}`];
  });
}

/** Warnings for the containers of a template that only have the annotation, unless the pod has that profile. */
export function appArmorWarnings(
  container: Container | EphemeralContainer,
  metadata: ObjectMeta | undefined,
  spec: PodSpec,
  root: string,
): string[] {
  const annotation = annotationOf(metadata, container);
  if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod !== undefined && semanticEqual(ofPod, appArmorProfileOf(annotation))) return [];
  return [`${root}metadata.annotations[${APP_ARMOR_ANNOTATION}${container.name}]: ${DEPRECATED}`];
}

function everyContainer(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

function annotationOf(metadata: ObjectMeta | undefined, { name }: { readonly name: string }): string | undefined {
  const key = APP_ARMOR_ANNOTATION + name;
  const annotations = metadata?.annotations ?? {};
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
