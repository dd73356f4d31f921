import { BlockList, isIP } from 'node:net';
import { posix } from 'node:path';
import type { EndpointAddress, EndpointSubset, Pod, Service } from '@binnacle/api/types/core-v1';
import { badRequest, quoteGo, serviceUnavailable } from '@binnacle/apimachinery/status';
import type { Destination } from './destination.js';
import type { TargetId } from './target-id.js';

type Address = Pick<Destination, 'scheme' | 'host' | 'port'>;

/** Addresses that are not global unicast. Upstream: Go's `IP.IsGlobalUnicast`. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 32],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

const LOOPBACK = /^(127\.|::1$)/;

/** Whether a pod or a node may have this IP address in a proxy request. */
export function isGlobalUnicast(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !special.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a kubelet may have this IP address: it may be on the machine of the server. */
export const isKubeletAddress = (address: string): boolean => isGlobalUnicast(address) || LOOPBACK.test(address);

/** The address of a pod. Upstream: pod `ResourceLocation`. */
export function podAddress({ spec, status }: Pod, id: string, target: TargetId): Address {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  const host = status?.podIPs?.[0]?.ip ?? '';
  if (!isGlobalUnicast(host)) throw badRequest('address not allowed');
  const scheme = schemeOf(target);
  const port = target.port === '' ? (ports[0]?.containerPort ?? usualPort(scheme)) : portOf(id, 'pod', target.port);
  return { scheme, host, port };
}

/** The port that a proxy request to a pod or a node names. Throws 400 unless it is a number of a port. */
export const portOf = (id: string, kind: string, text: string): number => {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port === 0 || port > 65_535) throw badRequest(`invalid ${kind} request ${quoteGo(id)}`);
  return port;
};

/** The name of the service port that a proxy request names, by number or by name. Upstream: service `ResourceLocation`. */
export function servicePortName({ spec }: Service, { name, port }: TargetId): string {
  const found = spec?.ports?.find((each) => each.port === Number(port));
  if (found === undefined)
    throw serviceUnavailable(`no service port ${Number(port)} found for service ${quoteGo(name)}`);
  return found.name ?? '';
}

/** Whether a proxy request names the port of a service by its number. */
export const isPortNumber = ({ port }: TargetId): boolean => /^[+-]?[0-9]+$/.test(port);

export interface EndpointChoice {
  readonly address: EndpointAddress;
  readonly port: number;
}

/** The ready endpoints with a port of this name. The caller takes one whose address is that of its pod. */
export function endpointChoices(subsets: readonly EndpointSubset[], portName: string): readonly EndpointChoice[] {
  return subsets.flatMap(({ addresses = [], ports = [] }) => {
    const found = ports.find(({ name = '' }) => name === portName);
    return found === undefined ? [] : addresses.map((address) => ({ address, port: found.port }));
  });
}

/** Whether the pod has the address of an endpoint. Upstream: `isValidAddress`. */
export function isAddressOf(pod: Pod, { ip }: EndpointAddress): boolean {
  return pod.status?.podIPs?.some((each) => each.ip === ip) ?? false;
}

export const schemeOf = ({ scheme }: Pick<TargetId, 'scheme'>): 'http' | 'https' =>
  scheme === 'https' ? 'https' : 'http';
const usualPort = (scheme: 'http' | 'https'): number => (scheme === 'https' ? 443 : 80);

/** A path as Go's `path.Join` cleans it, with the slash at its end; '' stays empty. Upstream: `JoinPreservingTrailingSlash`. */
export function cleanedPath(path: string): string {
  if (path === '') return '';
  const cleaned = posix.normalize(`/${path}`).replace(/^\/+/, '/');
  return path.endsWith('/') || !cleaned.endsWith('/') ? cleaned : cleaned.slice(0, -1);
}
