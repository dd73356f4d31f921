import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundField,
  required,
  tooLong,
} from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  utf8Length,
  validateLabelsInSteps,
  validateRange,
} from '@binnacle/apimachinery/validation';
import { finish, type Steps } from '@binnacle/apimachinery/work';
import type { PodResourceClaim, PodSpec } from '../../generated/types/core-v1.js';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  list,
  optionalOneOf,
  qualifiedName,
  requireOneOf,
  ruleByRule,
} from '../common.js';
import { validateAffinity } from './affinity.js';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.js';
import { validateDnsConfig, validateHostAliases } from './dns.js';
import { validatePodResources } from './pod-resources.js';
import { validateHostNetworkPorts } from './ports.js';
import { validateRequirements } from './resources.js';
import { validateSchedulingGates, validateTolerations, validateTopologySpread } from './scheduling.js';
import { validatePodSecurityContext } from './security-context.js';
import { eachContainer } from './each-container.js';
import { validateVolumes } from './volumes.js';
import { validateForOperatingSystem, validateHostProcesses } from './windows.js';

export interface PodSpecOptions {
  /** The pod's own name; absent in templates. */
  readonly podName?: string | undefined;
  readonly isPod: boolean;
}

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const INT32_MAXIMUM = 2 ** 31 - 1;

/** All rules of a pod spec, in upstream's order. Upstream: `ValidatePodSpec`. */
export function validatePodSpec(spec: PodSpec, field: string, options: PodSpecOptions): FieldError[] {
  return finish(validatePodSpecInSteps(spec, field, options));
}

/** {@link validatePodSpec} in steps, for specs that may have many containers. */
export function* validatePodSpecInSteps(spec: PodSpec, field: string, options: PodSpecOptions): Steps<FieldError[]> {
  const { errors: volumeErrors, byName } = validateVolumes(
    spec.volumes,
    options.podName,
    `${field}.volumes`,
    options.isPod,
  );
  yield;
  const claimNames = new Set(list(spec.resourceClaims).flatMap(({ name }) => (name ? [name] : [])));
  const around = { spec, volumes: byName, claimNames };
  return yield* ruleByRule([
    () =>
      spec.terminationGracePeriodSeconds === undefined ? [required(`${field}.terminationGracePeriodSeconds`, '')] : [],
    () => volumeErrors,
    () => resourceClaims(spec.resourceClaims, `${field}.resourceClaims`),
    () => validateContainers(around, `${field}.containers`),
    () => validateInitContainers(around, `${field}.initContainers`),
    () => validateEphemeralContainers(around, `${field}.ephemeralContainers`),
    () => validatePodResources(spec, claimNames, `${field}.resources`),
    () => validateHostNetworkPorts(spec, field, options.isPod),
    () => requireOneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    () => requireOneOf(spec.dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`),
    () => validateLabelsInSteps(spec.nodeSelector, `${field}.nodeSelector`),
    () => validatePodSecurityContext(spec, `${field}.securityContext`),
    () => validateAffinity(spec.affinity, `${field}.affinity`),
    () => validateDnsConfig(spec, `${field}.dnsConfig`),
    () =>
      each(spec.readinessGates, `${field}.readinessGates`, (gate, path) =>
        qualifiedName(gate.conditionType ?? '', `${path}.conditionType`),
      ),
    () => validateSchedulingGates(spec.schedulingGates, `${field}.schedulingGates`),
    () => validateTopologySpread(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`),
    () => validateHostProcesses(spec, field),
    () => hostUsers(spec, field),
    () => hostName(spec, `${field}.hostnameOverride`),
    () => names(spec, field),
    () => validateRequirements({ limits: spec.overhead }, new Set(), `${field}.overhead`),
    () => operatingSystem(spec, field),
    () => fileVolumes(spec, field),
  ]);
}

function names(spec: PodSpec, field: string): FieldError[] {
  const subdomain = (value: string | undefined, name: string): FieldError[] =>
    value ? invalidFor(`${field}.${name}`, value, nameIsDnsSubdomain(value, false)) : [];
  const deadline = spec.activeDeadlineSeconds;
  return [
    ...subdomain(spec.serviceAccountName, 'serviceAccountName'),
    ...subdomain(spec.nodeName, 'nodeName'),
    ...(deadline === undefined
      ? []
      : invalidFor(`${field}.activeDeadlineSeconds`, deadline, validateRange(deadline, 1, INT32_MAXIMUM))),
    ...(spec.hostname ? dnsLabel(spec.hostname, `${field}.hostname`) : []),
    ...(spec.subdomain ? dnsLabel(spec.subdomain, `${field}.subdomain`) : []),
    ...validateTolerations(spec.tolerations, `${field}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${field}.hostAliases`),
    ...subdomain(spec.priorityClassName, 'priorityClassName'),
    ...(spec.runtimeClassName === undefined
      ? []
      : invalidFor(
          `${field}.runtimeClassName`,
          spec.runtimeClassName,
          nameIsDnsSubdomain(spec.runtimeClassName, false),
        )),
    ...optionalOneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], `${field}.preemptionPolicy`),
  ];
}

function operatingSystem(spec: PodSpec, field: string): FieldError[] {
  if (spec.os === undefined) return [];
  if (!spec.os.name) return [required(`${field}.os.name`, '')];
  const errors = optionalOneOf(spec.os.name, ['linux', 'windows'], `${field}.os`);
  return errors.length > 0 ? errors : validateForOperatingSystem(spec, field);
}

const HOST_NAME_MAXIMUM = 64;

function hostName(spec: PodSpec, field: string): FieldError[] {
  const name = spec.hostnameOverride;
  if (name === undefined) return [];
  const without = (what: string): FieldError => forbiddenField(field, `may not be specified when ${what} is true`);
  return [
    ...(spec.setHostnameAsFQDN === true ? [without('setHostnameAsFQDN')] : []),
    ...(spec.hostNetwork === true ? [without('hostNetwork')] : []),
    ...(utf8Length(name) > HOST_NAME_MAXIMUM ? [tooLong(field, HOST_NAME_MAXIMUM)] : []),
    ...dnsSubdomain(name, field),
  ];
}

/** A file with environment variables must be on an existing emptyDir volume. */
function fileVolumes(spec: PodSpec, field: string): FieldError[] {
  const volumes = new Map(list(spec.volumes).map((volume) => [volume.name, volume]));
  return eachContainer(spec, field, (container, path) =>
    each(container.env, `${path}.env`, ({ valueFrom }, at) => {
      const file = valueFrom?.fileKeyRef;
      if (file === undefined) return [];
      const name = file.volumeName ?? '';
      const volumePath = `${at}.valueFrom.fileKeyRef.volumeName`;
      const volume = volumes.get(name);
      if (volume === undefined) return [notFoundField(volumePath, name)];
      if (volume.emptyDir !== undefined) return [];
      return [invalidValue(volumePath, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}

function hostUsers(spec: PodSpec, field: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const shared: [boolean | undefined, string][] = [
    [spec.hostNetwork, 'hostNetwork'],
    [spec.hostPID, 'HostPID'],
    [spec.hostIPC, 'HostIPC'],
  ];
  const detail = 'when `hostUsers` is false';
  return [
    ...shared.filter(([set]) => set === true).map(([, name]) => forbiddenField(`${field}.${name}`, detail)),
    ...eachContainer(spec, field, ({ volumeDevices }, path) =>
      list(volumeDevices).length > 0 ? [forbiddenField(`${path}.volumeDevices`, detail)] : [],
    ),
  ];
}

function resourceClaims(claims: readonly PodResourceClaim[] | undefined, field: string): FieldError[] {
  const seen = new Set<string>();
  return each(claims, field, (claim, path) => {
    const errors: FieldError[] = [];
    if (!claim.name) errors.push(required(`${path}.name`, ''));
    else if (seen.has(claim.name)) errors.push(duplicate(`${path}.name`, claim.name));
    else errors.push(...dnsLabel(claim.name, `${path}.name`));
    seen.add(claim.name);
    const given = (['resourceClaimName', 'resourceClaimTemplateName'] as const).filter(
      (name) => claim[name] !== undefined,
    );
    const shown = {
      Name: claim.name,
      ResourceClaimName: claim.resourceClaimName ?? null,
      ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
    };
    if (given.length > 1) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      errors.push(invalidValue(path, shown, detail));
    }
    if (given.length === 0) {
      errors.push(invalidValue(path, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    }
    for (const name of given) {
      const value = claim[name] ?? '';
      errors.push(...invalidFor(`${path}.${name}`, value, nameIsDnsSubdomain(value, false)));
    }
    return errors;
  });
}
