import { duplicate, type FieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { invalidFor, parseIpAddress, validateIpForLegacyField } from '@binnacle/apimachinery/validation';
import type { ServiceSpec } from '../../generated/types/core-v1.js';
import { each, list, optionalOneOf } from '../common.js';

// clusterIP, clusterIPs, ipFamilies and ipFamilyPolicy must agree. Upstream: `ValidateServiceClusterIPsRelatedFields`.

const CLUSTER_IPS = 'spec.clusterIPs';
const FAMILIES = 'spec.ipFamilies';
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const UNCHANGING = 'may not change once set';

export function isHeadless(spec: ServiceSpec): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
}

/** @param accepted addresses of the old object, accepted in any form. */
export function validateClusterIps(spec: ServiceSpec, accepted: ReadonlySet<string> = new Set()): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const ips = list(spec.clusterIPs);
  const addresses = each(ips, CLUSTER_IPS, (ip, path, index) => {
    if (index === 0 && ip === 'None') {
      if (ips.length === 1) return [];
      return [invalidValue(CLUSTER_IPS, ips, "'None' must be the first and only value")];
    }
    return invalidFor(path, ip, validateIpForLegacyField(ip, { accepted }));
  });
  const errors = [...agreement(spec), ...families(spec), ...addresses];
  if (ips.length > 2) errors.push(invalidValue(CLUSTER_IPS, ips, 'may only hold up to 2 values'));
  if (addresses.length > 0) return errors;
  if (ips.length > 1 && new Set(ips.map(familyOf)).size !== 2) {
    errors.push(invalidValue(CLUSTER_IPS, ips, 'may specify no more than one IP for each IP family'));
  }
  return isHeadless(spec) ? errors : [...errors, ...matchFamilies(spec)];
}

function agreement(spec: ServiceSpec): FieldError[] {
  const ips = list(spec.clusterIPs);
  if (!spec.clusterIP) {
    if (ips.length === 0) return [];
    return [invalidValue(CLUSTER_IPS, ips, 'must be empty when `clusterIP` is not specified')];
  }
  if (ips.length === 0) return [required(CLUSTER_IPS, '')];
  return ips[0] === spec.clusterIP ? [] : [invalidValue(CLUSTER_IPS, ips, 'first value must match `clusterIP`')];
}

function families(spec: ServiceSpec): FieldError[] {
  const seen = new Set<string>();
  const errors = each(spec.ipFamilies, FAMILIES, (family, path) => {
    const problems = optionalOneOf(family, ['IPv4', 'IPv6'], path);
    if (seen.has(family)) problems.push(duplicate(path, family));
    seen.add(family);
    return problems;
  });
  return [...errors, ...optionalOneOf(spec.ipFamilyPolicy, POLICIES, 'spec.ipFamilyPolicy')];
}

function familyOf(ip: string): string {
  return parseIpAddress(ip)?.family === 6 ? 'IPv6' : 'IPv4';
}

function matchFamilies(spec: ServiceSpec): FieldError[] {
  return each(spec.clusterIPs, CLUSTER_IPS, (ip, path, index) => {
    const family = spec.ipFamilies?.[index];
    if (family === undefined || family === familyOf(ip)) return [];
    return [invalidValue(path, ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)];
  });
}

/**
 * The primary address and family are immutable; the secondary ones are not. Upstream: `validateUpgradeDowngrade...`.
 */
export function validateClusterIpsUpdate(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  const errors = isHeadless(spec) && isHeadless(old) ? [] : addressesUpdate(spec, old);
  return isHeadless(spec) || isHeadless(old) ? errors : [...errors, ...familiesUpdate(spec, old)];
}

function addressesUpdate(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const ips = list(spec.clusterIPs);
  const before = list(old.clusterIPs);
  if (ips.length === before.length) {
    return each(before, CLUSTER_IPS, (ip, path, index) =>
      ip === ips[index] ? [] : [invalidValue(path, ips, UNCHANGING)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > ips.length && ips.length === 0) {
    errors.push(invalidValue(`${CLUSTER_IPS}[0]`, ips, 'primary clusterIP can not be unset'));
  }
  if (before.length > 0 && ips.length > 0 && ips[0] !== before[0]) {
    errors.push(invalidValue(`${CLUSTER_IPS}[0]`, ips, UNCHANGING));
  }
  return [...errors, ...released(spec, before.length > ips.length && ips.length === 1, 'clusterIP')];
}

function familiesUpdate(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const value = list(spec.ipFamilies);
  const before = list(old.ipFamilies);
  if (value.length === before.length) {
    return before.flatMap((family, index) =>
      family === value[index] ? [] : [invalidValue(`${FAMILIES}[0]`, value, UNCHANGING)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > 0 && value.length > 0 && value[0] !== before[0]) {
    errors.push(invalidValue(`${FAMILIES}[0]`, list(spec.clusterIPs), UNCHANGING));
  }
  return [...errors, ...released(spec, before.length > value.length && value.length === 1, 'ipFamily')];
}

function released(spec: ServiceSpec, given: boolean, what: string): FieldError[] {
  if (!given || spec.ipFamilyPolicy === 'SingleStack') return [];
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [invalidValue('spec.ipFamilyPolicy', spec.ipFamilyPolicy, detail)];
}
