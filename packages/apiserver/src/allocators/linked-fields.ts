import type { ServicePort, ServiceSpec } from '@binnacle/api/types/core-v1';
import { hasClusterIp, hasHealthCheckPort, hasNodePorts, nodePortsOf } from '../resources/index.js';
import { sameList } from './ip-families.js';

/**
 * Keeps clusterIPs consistent with clusterIP for clients that know only one of the two fields.
 * Upstream: kubernetes `pkg/registry/core/service/storage/storage.go` normalizeClusterIPs.
 */
export function alignClusterIps(spec: ServiceSpec, old: Readonly<ServiceSpec> | undefined): void {
  const ip = spec.clusterIP ?? '';
  if (old === undefined) {
    if (ip !== '' && isEmpty(spec.clusterIPs)) spec.clusterIPs = [ip];
    return;
  }
  const before = old.clusterIP ?? '';
  if (before === ip) {
    if (isEmpty(spec.clusterIPs) && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
    return;
  }
  if (!sameList(spec.clusterIPs, old.clusterIPs)) return;
  if (ip === '') delete spec.clusterIPs;
  else spec.clusterIPs = [ip];
}

/**
 * Keeps allocated values when a client updates a service with the document that created it.
 * Upstream: the same file, patchAllocatedValues.
 */
export function keepClaimedValues(spec: ServiceSpec, old: Readonly<ServiceSpec>): void {
  if (hasClusterIp(old) && hasClusterIp(spec)) {
    if ((spec.clusterIP ?? '') === '' && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP;
    if (isEmpty(spec.clusterIPs) && old.clusterIPs !== undefined) spec.clusterIPs = [...old.clusterIPs];
  }
  if (hasNodePorts(old) && hasNodePorts(spec)) keepNodePorts(spec.ports ?? [], old.ports ?? []);
  if (hasHealthCheckPort(old) && hasHealthCheckPort(spec) && !spec.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A port without a number keeps the number of the old port with its name, unless another port uses that number now. */
function keepNodePorts(ports: readonly ServicePort[], old: readonly ServicePort[]): void {
  const now = new Set(nodePortsOf({ ports }));
  const byName = new Map(old.map((port) => [port.name ?? '', port.nodePort ?? 0]));
  for (const port of ports) {
    if (port.nodePort) continue;
    const before = byName.get(port.name ?? '') ?? 0;
    if (before !== 0 && !now.has(before)) port.nodePort = before;
  }
}

function isEmpty(list: readonly string[] | undefined): boolean {
  return list === undefined || list.length === 0;
}
