import { firstIpAddress, formatIpAddress, parseIpPrefix } from '@binnacle/apimachinery/validation';
import { hostname } from 'node:os';
import { isIP } from 'node:net';

/** The URL at which local clients reach a server that is bound to `bindAddress`. */
export function clientUrl(bindAddress: string, port: number): string {
  const host = bindAddress === '0.0.0.0' ? '127.0.0.1' : bindAddress === '::' ? '::1' : bindAddress;
  return `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** All names and addresses that the serving certificate must cover. Upstream: kubeadm `app/phases/certs`. */
export function servingHosts(
  bindAddress: string,
  serviceClusterIPRange: string,
  advertised?: string,
): readonly string[] {
  const hosts = new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    ...serviceAddresses(serviceClusterIPRange),
  ]);
  const ownName = hostname().toLowerCase();
  if (/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(ownName)) hosts.add(ownName);
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') hosts.add(bindAddress);
  if (advertised !== undefined) hosts.add(advertised);
  return [...hosts];
}

/** The possible addresses of the `kubernetes` service: the first of each range. */
function serviceAddresses(serviceClusterIPRange: string): readonly string[] {
  return serviceClusterIPRange.split(',').flatMap((text) => {
    const prefix = parseIpPrefix(text.trim());
    return prefix === undefined ? [] : [formatIpAddress(firstIpAddress(prefix))];
  });
}
