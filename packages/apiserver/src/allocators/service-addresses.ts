import type { ServiceSpec } from '@binnacle/api/types/core-v1';
import { invalid, invalidValue } from '@binnacle/apimachinery/status';
import { hasClusterIp } from '../resources/index.js';
import type { ClusterIps, ServiceName } from './cluster-ips.js';
import type { IpFamily } from '@binnacle/apimachinery/validation';
import { staysPreferDualStack } from './ip-families.js';

/** The result of a change to the addresses of a service. */
export interface AddressClaim {
  /** Release these when the write fails. */
  readonly claimed: readonly string[];
  /** Release these after the write succeeds. */
  readonly released: readonly string[];
}

const nothing: AddressClaim = { claimed: [], released: [] };

/** Claims an address for every family of a new service and fills them in. Upstream: `alloc.go` allocClusterIPs. */
export async function claimAddresses(
  ips: ClusterIps,
  service: ServiceName,
  spec: ServiceSpec,
  dryRun: boolean,
): Promise<AddressClaim> {
  if (!hasClusterIp(spec) || isHeadless(spec)) return nothing;
  const families = spec.ipFamilies ?? [];
  spec.clusterIPs = families.map((_, index) => spec.clusterIPs?.[index] ?? '');
  const claimed = await claimMissing(
    ips,
    service,
    spec,
    families.map((_, index) => index),
    dryRun,
  );
  if (spec.clusterIPs[0] !== undefined) spec.clusterIP = spec.clusterIPs[0];
  return { claimed, released: [] };
}

/** Claims addresses for an updated service, which may change its type and gain or lose its second family. */
export async function changeAddresses(
  ips: ClusterIps,
  service: ServiceName,
  spec: ServiceSpec,
  old: Readonly<ServiceSpec>,
  dryRun: boolean,
): Promise<AddressClaim> {
  if (staysPreferDualStack(spec, old)) return nothing;
  if (!hasClusterIp(old)) return hasClusterIp(spec) ? claimAddresses(ips, service, spec, dryRun) : nothing;
  if (isHeadless(old)) return nothing;
  if (!hasClusterIp(spec)) return { claimed: [], released: old.clusterIPs ?? [] };
  const before = old.ipFamilies?.length ?? 0;
  const after = spec.ipFamilies?.length ?? 0;
  if (before === 1 && after === 2) {
    spec.clusterIPs = [spec.clusterIPs?.[0] ?? '', spec.clusterIPs?.[1] ?? ''];
    return { claimed: await claimMissing(ips, service, spec, [1], dryRun), released: [] };
  }
  const second = old.clusterIPs?.[1];
  return before === 2 && after === 1 && second !== undefined ? { claimed: [], released: [second] } : nothing;
}

/** The addresses that a stored service holds. */
export function addressesHeldBy(spec: Readonly<ServiceSpec>): readonly string[] {
  return hasClusterIp(spec) && !isHeadless(spec) ? (spec.clusterIPs ?? []) : [];
}

function isHeadless(spec: Readonly<ServiceSpec>): boolean {
  return spec.clusterIPs?.[0] === 'None';
}

/** Claims the addresses at these indexes of clusterIPs: all or none. */
async function claimMissing(
  ips: ClusterIps,
  service: ServiceName,
  spec: ServiceSpec,
  places: readonly number[],
  dryRun: boolean,
): Promise<string[]> {
  const wanted = spec.clusterIPs ?? [];
  const result = [...wanted];
  const claimed: string[] = [];
  try {
    for (const place of places) {
      const ip = wanted[place] ?? '';
      const family: IpFamily = spec.ipFamilies?.[place] === 'IPv6' ? 'IPv6' : 'IPv4';
      if (ip === '') {
        result[place] = await (dryRun ? ips.previewAny(family) : ips.claimAny(service, family));
      } else {
        const problem = await (dryRun ? ips.previewClaim(ip) : ips.claim(service, ip));
        if (problem !== undefined) throw refusal(service, wanted, ip, problem);
      }
      if (!dryRun) claimed.push(result[place] ?? '');
    }
  } catch (error) {
    for (const ip of claimed) await ips.release(service, ip);
    throw error;
  }
  spec.clusterIPs = result;
  return claimed;
}

function refusal(service: ServiceName, ips: readonly string[], ip: string, problem: string): Error {
  const error = invalidValue('spec.clusterIPs', ips, `failed to allocate IP ${ip}: ${problem}`);
  return invalid({ group: '', kind: 'Service' }, service.name, [error]);
}
