import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { errorsOfEntries } from '@binnacle/apimachinery/validation';
import type { AppArmorProfile, PodSpec, SeccompProfile } from '../../generated/types/core-v1.js';
import { APP_ARMOR_ANNOTATION, APP_ARMOR_LOCALHOST } from '../../pods/index.js';
import { list } from '../common.js';
import { descendingPath } from '../file-paths.js';
import { eachContainer } from './each-container.js';

// The deprecated annotations for AppArmor and seccomp profiles, which must agree with the fields that replace them.

type Annotations = Readonly<Record<string, string>>;
type Profile = AppArmorProfile | SeccompProfile;

const POD_SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';
const SECCOMP_VALUES = new Map([
  ['Unconfined', ['unconfined']],
  ['RuntimeDefault', ['runtime/default', 'docker/default']],
]);
const APP_ARMOR_VALUES = new Map([
  ['Unconfined', ['unconfined']],
  ['RuntimeDefault', ['runtime/default']],
]);

/** Upstream: `ValidateSeccompPodAnnotations`, `ValidateAppArmorPodAnnotations`. */
export function validateSecurityAnnotations(annotations: Annotations, spec: PodSpec, field: string): FieldError[] {
  const containers = new Set(
    [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap((given) =>
      list(given).map(({ name }) => name),
    ),
  );
  return errorsOfEntries(annotations, (key, value) => {
    if (key === POD_SECCOMP || key.startsWith(CONTAINER_SECCOMP)) return seccompProfile(value, `${field}.${key}`);
    if (key.startsWith(APP_ARMOR_ANNOTATION)) return appArmorProfile(key, value, containers, `${field}[${key}]`);
    return [];
  });
}

function seccompProfile(value: string, field: string): FieldError[] {
  if ([...SECCOMP_VALUES.values()].some((values) => values.includes(value))) return [];
  if (value.startsWith(APP_ARMOR_LOCALHOST)) return descendingPath(value.slice(APP_ARMOR_LOCALHOST.length), field);
  return [invalidValue(field, value, 'must be a valid seccomp profile')];
}

function appArmorProfile(key: string, value: string, containers: ReadonlySet<string>, field: string): FieldError[] {
  const name = key.slice(APP_ARMOR_ANNOTATION.length);
  const isKnown =
    value === '' || value === 'runtime/default' || value === 'unconfined' || value.startsWith(APP_ARMOR_LOCALHOST);
  return [
    ...(containers.has(name) ? [] : [invalidValue(field, name, 'container not found')]),
    ...(isKnown ? [] : [invalidValue(field, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)]),
  ];
}

/**
 * An annotation and its field must agree if both are set. Upstream: `validateSeccompAnnotationsAndFields`,
 * `validateAppArmorAnnotationsAndFieldsMatchOnCreate`.
 */
export function validateProfilesAgree(
  metadata: Readonly<ObjectMeta> | undefined,
  spec: PodSpec,
  field: string,
): FieldError[] {
  const annotations = metadata?.annotations ?? {};
  const pod = spec.securityContext;
  const seccomp = (key: string, profile: SeccompProfile | undefined, path: string) =>
    disagreement('seccomp', SECCOMP_VALUES, own(annotations, key), profile, `${path}.securityContext.seccompProfile`);
  const isWindows = spec.os?.name === 'windows';
  return [
    ...seccomp(POD_SECCOMP, pod?.seccompProfile, field),
    ...eachContainer(spec, field, ({ name, securityContext }, path) =>
      seccomp(CONTAINER_SECCOMP + name, securityContext?.seccompProfile, path),
    ),
    ...eachContainer(spec, field, ({ name, securityContext }, path) => {
      const profile = securityContext?.appArmorProfile ?? pod?.appArmorProfile;
      const annotation = isWindows ? undefined : own(annotations, APP_ARMOR_ANNOTATION + name);
      const where = `${path}.securityContext.appArmorProfile`;
      return disagreement('apparmor', APP_ARMOR_VALUES, annotation, profile, where);
    }),
  ];
}

function disagreement(
  what: string,
  values: ReadonlyMap<string, readonly string[]>,
  annotation: string | undefined,
  profile: Profile | undefined,
  field: string,
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const types = [forbiddenField(`${field}.type`, `${what} type in annotation and field must match`)];
  if (profile.type !== 'Localhost') return values.get(profile.type)?.includes(annotation) === false ? types : [];
  if (!annotation.startsWith(APP_ARMOR_LOCALHOST)) return types;
  if (annotation.slice(APP_ARMOR_LOCALHOST.length) === profile.localhostProfile) return [];
  return [forbiddenField(`${field}.localhostProfile`, `${what} profile in annotation and field must match`)];
}

function own(annotations: Annotations, key: string): string | undefined {
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}
