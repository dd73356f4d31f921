import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import { invalidFor, utf8Length, validateDns1123Subdomain } from '@binnacle/apimachinery/validation';
import type { PodSpec, WindowsSecurityContextOptions } from '../../generated/types/core-v1.js';
import { eachContainer } from './each-container.js';

// Upstream: `validateWindowsSecurityContextOptions`, `validateWindowsHostProcessPod`.

const CREDENTIAL_SPEC_KIBIBYTES = 64;
const DOMAIN_MAXIMUM = 256;
const USER_MAXIMUM = 104;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
/** Upstream's pattern: DNS labels in any case. */
const domainName = /^[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  field: string,
): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credentials, runAsUserName } = options ?? {};
  return [
    ...(name === undefined ? [] : invalidFor(`${field}.gmsaCredentialSpecName`, name, validateDns1123Subdomain(name))),
    ...(credentials === undefined
      ? []
      : invalidFor(`${field}.gmsaCredentialSpec`, credentials, credentialProblems(credentials))),
    ...(runAsUserName === undefined
      ? []
      : invalidFor(`${field}.runAsUserName`, runAsUserName, userNameProblems(runAsUserName))),
  ];
}

function credentialProblems(credentials: string): string[] {
  if (credentials === '') return ['gmsaCredentialSpec cannot be an empty string'];
  if (utf8Length(credentials) <= CREDENTIAL_SPEC_KIBIBYTES * 1024) return [];
  return [`gmsaCredentialSpec size must be under ${CREDENTIAL_SPEC_KIBIBYTES} KiB`];
}

/** `user` or `DOMAIN\user`. */
function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (hasControlCharacter(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const length = utf8Length(user);
  const problems: string[] = [];
  if (domain !== undefined && utf8Length(domain) >= DOMAIN_MAXIMUM) {
    problems.push(`runAsUserName's Domain length must be under ${DOMAIN_MAXIMUM} characters`);
  }
  if (domain !== undefined && !netBiosName.test(domain) && !domainName.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (length === 0) problems.push("runAsUserName's User cannot be empty");
  else if (length > USER_MAXIMUM) {
    problems.push(`runAsUserName's User length must not be longer than ${USER_MAXIMUM} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

function hasControlCharacter(text: string): boolean {
  for (const character of text) if (character < ' ' || character === '\u007f') return true;
  return false;
}

/** Either all containers of a pod are host processes or none is, and they need the host network. */
export function validateHostProcesses(spec: PodSpec, field: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let processes = 0;
  const errors = eachContainer(spec, field, (container, path) => {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    containers += 1;
    if (own ?? ofPod) processes += 1;
    if (ofPod === undefined || own === undefined || own === ofPod) return [];
    const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    return [invalidValue(`${path}.securityContext.windowsOptions.hostProcess`, own, detail)];
  });
  if (processes === 0) return errors;
  if (processes !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalidValue(field, '', detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalidValue(`${field}.hostNetwork`, false, detail));
  }
  return errors;
}

const NOT_ON_WINDOWS = 'cannot be set for a windows pod';
/** Paths under the pod's spec, in upstream's order. The host fields count if true, the others if set. */
const LINUX_OF_PODS = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
] as const;
const LINUX_OF_CONTAINERS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Fields that the pod's operating system does not support. */
export function validateForOperatingSystem(spec: PodSpec, field: string): FieldError[] {
  if (spec.os?.name === 'linux') return linux(spec, field);
  return spec.os?.name === 'windows' ? windows(spec, field) : [];
}

function linux(spec: PodSpec, field: string): FieldError[] {
  const options = (path: string): FieldError =>
    forbiddenField(`${path}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod');
  return [
    ...(spec.securityContext?.windowsOptions === undefined ? [] : [options(field)]),
    ...eachContainer(spec, field, ({ securityContext }, path) =>
      securityContext?.windowsOptions === undefined ? [] : [options(path)],
    ),
  ];
}

function windows(spec: PodSpec, field: string): FieldError[] {
  const { hostUsers, shareProcessNamespace, hostPID, hostIPC, securityContext = {} } = spec;
  const given: Readonly<Record<string, unknown>> = {
    ...securityContext,
    hostUsers,
    shareProcessNamespace,
    hostPID: hostPID || undefined,
    hostIPC: hostIPC || undefined,
    sysctls: securityContext.sysctls?.length ? securityContext.sysctls : undefined,
  };
  return [
    ...LINUX_OF_PODS.flatMap((path) =>
      given[path.split('.').at(-1) ?? ''] === undefined ? [] : [forbiddenField(`${field}.${path}`, NOT_ON_WINDOWS)],
    ),
    ...eachContainer(spec, field, (container, path) =>
      LINUX_OF_CONTAINERS.flatMap((name) =>
        container.securityContext?.[name] === undefined
          ? []
          : [forbiddenField(`${path}.securityContext.${name}`, NOT_ON_WINDOWS)],
      ),
    ),
  ];
}
