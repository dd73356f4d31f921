import type { AppArmorProfile } from '../generated/types/core-v1.js';

/** The prefix, before a container's name, of the annotation that preceded the AppArmor profile field. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
/** The prefix, before a profile name, of a profile loaded on the node. */
export const APP_ARMOR_LOCALHOST = 'localhost/';

/**
 * The field value equivalent to an annotation; undefined if the annotation names no profile. Upstream:
 * `ApparmorFieldForAnnotation`.
 */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.slice(APP_ARMOR_LOCALHOST.length);
  if (!annotation.startsWith(APP_ARMOR_LOCALHOST) || localhostProfile === '') return undefined;
  return { type: 'Localhost', localhostProfile };
}
