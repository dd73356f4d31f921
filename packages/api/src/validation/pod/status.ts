import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, nameIsDnsSubdomain, validateImmutable, validateUnixId } from '@binnacle/apimachinery/validation';
import type {
  ContainerExtendedResourceRequest,
  ContainerStatus,
  Pod,
  PodCondition,
  PodIP,
  PodSpec,
  PodStatus,
} from '../../generated/types/core-v1.js';
import { dnsLabel, each, finalizerDomains, list, qualifiedName } from '../common.js';
import { validatePodAnnotationsUpdate } from './annotations.js';
import { validatePodIps } from './dns.js';
import { validateContainerTransitions } from './transitions.js';
import { noPodSpec } from './template.js';

/** Condition types without a domain. */
const SYSTEM_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);
const NON_NEGATIVE = 'must be a non-negative integer';

/** Upstream: `ValidatePodStatusUpdate`. */
export function validatePodStatusUpdate(object: Pod, old: Pod): FieldError[] {
  const { status = {}, spec = noPodSpec } = object;
  const annotations = object.metadata?.annotations;
  return [
    ...finalizerDomains(object),
    ...validatePodAnnotationsUpdate(annotations, old.metadata?.annotations, spec, 'metadata.annotations'),
    ...conditions(status),
    ...((spec.nodeName ?? '') === (old.spec?.nodeName ?? '')
      ? []
      : [forbiddenField('status.nodeName', 'may not be changed directly')]),
    ...nomination(status, old),
    ...generation(status.observedGeneration, 'status.observedGeneration'),
    ...validateImmutable(status.qosClass ?? '', old.status?.qosClass ?? '', 'status.qosClass'),
    ...validateContainerTransitions(status, old),
    ...claims(status, spec),
    ...extendedClaim(status, spec),
    ...addresses(status),
    ...(['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const).flatMap((name) =>
      users(status[name], spec, `status.${name}`),
    ),
  ];
}

function generation(value: number | bigint | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(field, value, NON_NEGATIVE)] : [];
}

function conditions(status: PodStatus): FieldError[] {
  return each(
    status.conditions,
    'status.conditions',
    ({ type = '', observedGeneration }: Partial<PodCondition>, path) => [
      ...generation(observedGeneration, `${path}.observedGeneration`),
      ...(SYSTEM_CONDITIONS.has(type) ? [] : qualifiedName(type, `${path}.Type`)),
    ],
  );
}

function nomination(status: PodStatus, old: Pod): FieldError[] {
  const field = 'status.nominatedNodeName';
  const name = status.nominatedNodeName ?? '';
  if (name === '' || name === old.status?.nominatedNodeName) return [];
  const detail = 'may not be set on pods that are already bound to a node';
  return [
    ...invalidFor(field, name, nameIsDnsSubdomain(name, false)),
    ...(old.spec?.nodeName ? [forbiddenField(field, detail)] : []),
  ];
}

function claims(status: PodStatus, spec: PodSpec): FieldError[] {
  const known = new Set(list(spec.resourceClaims).map(({ name }) => name));
  const seen = new Set<string>();
  return each(status.resourceClaimStatuses, 'status.resourceClaimStatuses', ({ name, resourceClaimName }, path) => {
    const errors: FieldError[] = [];
    if (!known.has(name)) {
      const detail = 'must match the name of an entry in `spec.resourceClaims`';
      errors.push(invalidValue(`${path}.name`, name, detail));
    }
    if (seen.has(name)) errors.push(duplicate(`${path}.name`, name));
    seen.add(name);
    if (resourceClaimName === undefined) return errors;
    const problems = nameIsDnsSubdomain(resourceClaimName, false);
    return [...errors, ...invalidFor(`${path}.resourceClaimName`, resourceClaimName, problems)];
  });
}

/** Empty if the client left it out. */
const requestNameOf = ({ requestName = '' }: Partial<ContainerExtendedResourceRequest>): string => requestName;

function extendedClaim({ extendedResourceClaimStatus: claim }: PodStatus, spec: PodSpec): FieldError[] {
  if (claim === undefined) return [];
  const field = 'status.extendedResourceClaimStatus';
  const containers = new Map([...list(spec.initContainers), ...list(spec.containers)].map((each) => [each.name, each]));
  const seen = new Set<string>();
  const errors = each(claim.requestMappings, `${field}.requestMappings`, (mapping, path) => {
    const { containerName, resourceName } = mapping;
    const requestName = requestNameOf(mapping);
    const requests = containers.get(containerName)?.resources?.requests;
    const key = JSON.stringify([containerName, resourceName, requestName]);
    const isRepeated = seen.has(key);
    seen.add(key);
    const found: FieldError[] = [];
    if (!containers.has(containerName)) {
      const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      found.push(invalidValue(`${path}.containerName`, containerName, detail));
    } else if (requests === undefined || !Object.hasOwn(requests, resourceName)) {
      const detail =
        'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
      found.push(invalidValue(`${path}.resourceName`, resourceName, detail));
    }
    found.push(...dnsLabel(requestName, `${field}.requestName`));
    if (!isRepeated) return found;
    const names = ['containerName', 'resourceName', 'requestName'] as const;
    return [...found, ...names.map((name) => duplicate(`${path}.${name}`, mapping[name]))];
  });
  const name = claim.resourceClaimName ?? '';
  const nameField = `${field}.resourceClaimName`;
  return [
    ...(list(claim.requestMappings).length > 0
      ? []
      : [required(`${field}.requestMappings`, 'at least one request mapping is required')]),
    ...errors,
    ...(name === '' ? [required(nameField, '')] : invalidFor(nameField, name, nameIsDnsSubdomain(name, false))),
  ];
}

function addresses(status: PodStatus): FieldError[] {
  const [host] = list(status.hostIPs);
  const ips = (given: PodStatus['podIPs'] | PodStatus['hostIPs']) =>
    list(given).map(({ ip = '' }: Partial<PodIP>) => ip);
  return [
    ...validatePodIps(ips(status.podIPs), 'status.podIPs'),
    ...(host === undefined || (host.ip ?? '') === (status.hostIP ?? '')
      ? []
      : [invalidValue('status.hostIPs[0].ip', host.ip ?? '', 'must be equal to `hostIP`')]),
    ...validatePodIps(ips(status.hostIPs), 'status.hostIPs'),
  ];
}

/** The user of a container: numeric on Linux, absent on Windows. */
function users(statuses: readonly ContainerStatus[] | undefined, spec: PodSpec, field: string): FieldError[] {
  return each(statuses, field, ({ user }, path) => {
    if (user?.linux === undefined) return [];
    const linux = `${path}.user.linux`;
    if (spec.os?.name === 'windows') return [forbiddenField(linux, 'cannot be set for a windows pod')];
    const { uid, gid, supplementalGroups } = user.linux;
    const id = (value: number | bigint, at: string) => invalidFor(at, value, validateUnixId(value));
    return [
      ...id(uid ?? 0, `${linux}.uid`),
      ...id(gid ?? 0, `${linux}.gid`),
      ...each(supplementalGroups, `${linux}.supplementalGroups`, id),
    ];
  });
}
