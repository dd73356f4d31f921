import type { ServiceSpec } from '@binnacle/api/types/core-v1';
import { validateClusterIps } from '@binnacle/api/validation';
import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';
import { type IpFamily, ipFamilyOf, parseIpAddress } from '@binnacle/apimachinery/validation';

/** The address ranges of the cluster, by family. */
export interface ClusterFamilies {
  readonly primary: IpFamily;
  readonly all: ReadonlySet<string>;
}

const POLICY = 'spec.ipFamilyPolicy';

/**
 * Fills in ipFamilyPolicy and ipFamilies from the families of the cluster. Returns the errors when the request cannot
 * be met. The function edits the caller's spec, and leaves it partly filled in when there are errors.
 * Upstream: kubernetes `pkg/registry/core/service/storage/alloc.go` initIPFamilyFields.
 */
export function resolveIpFamilies(
  spec: ServiceSpec,
  old: Readonly<ServiceSpec> | undefined,
  cluster: ClusterFamilies,
): FieldError[] {
  if (spec.type === 'ExternalName' || staysPreferDualStack(spec, old)) return [];
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isHeadlessWithoutSelector(spec) ? 'RequireDualStack' : 'SingleStack');
  const malformed = validateClusterIps(spec);
  if (malformed.length > 0) return malformed;

  const errors = [
    ...(old === undefined ? [] : shrink(spec, old)),
    ...singleStackErrors(spec),
    ...inferFamilies(spec, cluster),
  ];
  if (errors.length > 0) return errors;
  if (isHeadlessWithoutSelector(spec)) {
    // Users write the endpoints of a headless service without a selector, so the cluster does not limit its families.
    const families = nonEmpty(spec.ipFamilies) ?? [cluster.primary];
    spec.ipFamilies = families.length < 2 && spec.ipFamilyPolicy !== 'SingleStack' ? withOther(families) : families;
    return [];
  }
  const unserved = unservedErrors(spec, cluster);
  if (unserved.length > 0) return unserved;
  const families = nonEmpty(spec.ipFamilies) ?? [cluster.primary];
  const both = spec.ipFamilyPolicy !== 'SingleStack' && families.length === 1 && cluster.all.size === 2;
  spec.ipFamilies = both ? withOther(families) : families;
  return [];
}

/** Services with PreferDualStack keep their families when the cluster gains or loses one. */
export function staysPreferDualStack(spec: Readonly<ServiceSpec>, old: Readonly<ServiceSpec> | undefined): boolean {
  if (old === undefined || spec.ipFamilyPolicy !== 'PreferDualStack' || old.type !== spec.type) return false;
  if (spec.type !== 'ClusterIP' && spec.type !== 'NodePort' && spec.type !== 'LoadBalancer') return false;
  if ((old.ipFamilyPolicy ?? 'PreferDualStack') !== 'PreferDualStack') return false;
  return sameList(spec.clusterIPs, old.clusterIPs) && sameList(spec.ipFamilies, old.ipFamilies);
}

export function sameList(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  const [a, b] = [one ?? [], other ?? []];
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Setting SingleStack alone releases the second family. Removing it without that is an error. */
function shrink(spec: ServiceSpec, old: Readonly<ServiceSpec>): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameList(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
    if (sameList(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
    return [];
  }
  const refuse = (what: string) =>
    invalidValue(POLICY, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  return [
    ...(isReduced(spec.clusterIPs, old.clusterIPs) ? [refuse('cluster IP')] : []),
    ...(isReduced(spec.ipFamilies, old.ipFamilies) ? [refuse('IP family')] : []),
  ];
}

function singleStackErrors(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const refuse = (what: string) =>
    invalidValue(
      POLICY,
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [refuse('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [refuse('IP families')] : []),
  ];
}

/** The requested addresses determine their families. */
function inferFamilies(spec: ServiceSpec, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  const ips = spec.clusterIPs ?? [];
  const families = [...(spec.ipFamilies ?? [])];
  for (const [index, ip] of ips.entries()) {
    const address = parseIpAddress(ip);
    if (address === undefined) break;
    if (index < families.length) continue;
    const family = ipFamilyOf(address);
    if (cluster.all.has(family)) families.push(family);
    else errors.push(invalidValue(`spec.clusterIPs[${index}]`, ips, `${family} is not configured on this cluster`));
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function unservedErrors(spec: ServiceSpec, cluster: ClusterFamilies): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && cluster.all.size < 2) {
    errors.push(invalidValue(POLICY, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (!cluster.all.has(family)) {
      errors.push(invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
    }
  }
  return errors;
}

function isHeadlessWithoutSelector(spec: ServiceSpec): boolean {
  return spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
}

function isReduced(list: readonly string[] | undefined, old: readonly string[] | undefined): boolean {
  const length = list?.length ?? 0;
  return length > 0 && length < (old?.length ?? 0);
}

function nonEmpty(list: string[] | undefined): string[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

function withOther(families: readonly string[]): string[] {
  return [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'];
}
