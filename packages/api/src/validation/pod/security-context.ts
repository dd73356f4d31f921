import type { Int64 } from '@binnacle/apimachinery/json';
import { duplicate, type FieldError, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import { invalidFor, validateUnixId } from '@binnacle/apimachinery/validation';
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf } from '../common.js';
import { descendingPath } from '../file-paths.js';
import { validateWindowsOptions } from './windows.js';

// Upstream: `ValidateSecurityContext`, `validatePodSpecSecurityContext`.

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL_MAXIMUM = 253;
const PATH_MAXIMUM = 4095;
const sysctlSegment = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const sysctlShown = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function unixId(id: Int64 | undefined, field: string): FieldError[] {
  return id === undefined ? [] : invalidFor(field, id, validateUnixId(id));
}

export function validateSecurityContext(
  context: SecurityContext | undefined,
  field: string,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...unixId(context.runAsUser, `${field}.runAsUser`),
    ...unixId(context.runAsGroup, `${field}.runAsGroup`),
  ];
  errors.push(...optionalOneOf(context.procMount, ['Default', 'Unmasked'], `${field}.procMount`));
  if (hostUsers && context.procMount === 'Unmasked') {
    errors.push(invalidValue(`${field}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  errors.push(...seccomp(context.seccompProfile, `${field}.seccompProfile`));
  errors.push(
    ...escalation(context, field),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
  );
  return errors;
}

function escalation(context: SecurityContext, field: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const errors: FieldError[] = [];
  if (context.privileged === true) {
    const detail = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true';
    errors.push(invalidValue(field, context, detail));
  }
  if (list(context.capabilities?.add).includes('CAP_SYS_ADMIN')) {
    const detail = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';
    errors.push(invalidValue(field, context, detail));
  }
  return errors;
}

export function validatePodSecurityContext(spec: PodSpec, field: string): FieldError[] {
  const context: PodSecurityContext = spec.securityContext ?? {};
  const errors = [
    ...unixId(context.fsGroup, `${field}.fsGroup`),
    ...unixId(context.runAsUser, `${field}.runAsUser`),
    ...unixId(context.runAsGroup, `${field}.runAsGroup`),
    ...each(context.supplementalGroups, `${field}.supplementalGroups`, unixId),
  ];
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalidValue(`${field}.shareProcessNamespace`, true, detail));
  }
  errors.push(...sysctls(context.sysctls, spec, `${field}.sysctls`));
  errors.push(
    ...optionalOneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${field}.fsGroupChangePolicy`),
    ...seccomp(context.seccompProfile, `${field}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${field}.appArmorProfile`),
    ...optionalOneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${field}.supplementalGroupsPolicy`),
    ...optionalOneOf(context.seLinuxChangePolicy, ['MountOption', 'Recursive'], `${field}.seLinuxChangePolicy`),
  );
  return errors;
}

function sysctls(settings: readonly Sysctl[] | undefined, spec: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  return each(settings, field, ({ name }, path) => {
    const errors: FieldError[] = [];
    if (!name) errors.push(required(`${path}.name`, ''));
    else if (name.length > SYSCTL_MAXIMUM || !name.split(/[./]/).every((segment) => sysctlSegment.test(segment))) {
      const detail = `must have at most ${SYSCTL_MAXIMUM} characters and match regex ${sysctlShown}`;
      errors.push(invalidValue(`${path}.name`, name, detail));
    } else if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
    seen.add(name);
    if (spec.hostNetwork === true && /^net[./]/.test(name)) {
      errors.push(invalidValue(`${path}.name`, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && /^(?:kernel[./](?:shm|msg|sem)|fs[./]mqueue[./])/.test(name)) {
      errors.push(invalidValue(`${path}.name`, name, "may not be specified when 'hostIPC' is true"));
    }
    return errors;
  });
}

function seccomp(profile: SeccompProfile | undefined, field: string): FieldError[] {
  if (profile === undefined) return [];
  const path = `${field}.localhostProfile`;
  const errors = profile.type
    ? optionalOneOf(profile.type, PROFILE_TYPES, `${field}.type`)
    : [required(`${field}.type`, 'type is required when seccompProfile is set')];
  if (profile.type !== 'Localhost') {
    if (profile.localhostProfile === undefined) return errors;
    return [...errors, invalidValue(path, profile, 'can only be set when seccomp type is Localhost')];
  }
  if (profile.localhostProfile === undefined) {
    return [...errors, required(path, 'must be set when seccomp type is Localhost')];
  }
  return [...errors, ...descendingPath(profile.localhostProfile, path)];
}

/** Upstream: `ValidateAppArmorProfileField`. */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined, field: string): FieldError[] {
  if (profile === undefined) return [];
  const path = `${field}.localhostProfile`;
  const name = profile.localhostProfile;
  if (!profile.type) return [required(`${field}.type`, 'type is required when appArmorProfile is set')];
  if (profile.type !== 'Localhost') {
    const errors = optionalOneOf(profile.type, PROFILE_TYPES, `${field}.type`);
    if (errors.length > 0 || name === undefined) return errors;
    return [invalidValue(path, name, 'can only be set when AppArmor type is Localhost')];
  }
  if (!name) return [required(path, 'must be set when AppArmor type is Localhost')];
  return [
    ...(name.trim() === name ? [] : [invalidValue(path, name, 'must not be padded with whitespace')]),
    ...(Buffer.byteLength(name) > PATH_MAXIMUM ? [tooLong(path, PATH_MAXIMUM)] : []),
  ];
}
