import type { AppArmorProfile } from '../generated/types/core-v1.js';

/** Before a container's name: the annotation that was its AppArmor profile before there was a field. */
export const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
/** Before the name of a profile that the node has loaded. */
export const APP_ARMOR_LOCALHOST = 'localhost/';

/** The field that says the same as an annotation; undefined for a value that names no profile. Upstream: `ApparmorFieldForAnnotation`. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.slice(APP_ARMOR_LOCALHOST.length);
  if (!annotation.startsWith(APP_ARMOR_LOCALHOST) || localhostProfile === '') return undefined;
  return { type: 'Localhost', localhostProfile };
}
