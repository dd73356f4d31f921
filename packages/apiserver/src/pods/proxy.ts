import { BlockList, isIP } from 'node:net';
import type { EndpointSubset, Node, Pod, Service } from '@binnacle/api/types/core-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import {
  badRequest,
  notFound,
  quoteGo,
  serviceUnavailable,
  type StatusError,
  unclassified,
} from '@binnacle/apimachinery/status';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { ENDPOINTS, type Stores } from '../registry/index.js';
import type { RequestContext } from '../request/index.js';

/*
 * The `proxy` subresources. The server is in no network of nodes and pods, so it answers as kube-apiserver does when
 * the address that it finds cannot be reached. Upstream: `ResourceLocation` of pods, services and nodes.
 */

/** Upstream: `--kubelet-preferred-address-types`. */
const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const KUBELET_PORT = 10250;
const SCHEMES = ['', 'http', 'https'];

/** Addresses that are not global unicast. */
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

export async function podProxy(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const { namespace, name: id } = context.info;
  const { name, port } = targetOf(id, 'pod');
  const pod = asKind<Pod>((await endpoint.store.reader.get(namespace, name)).decode());
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  throw unreachable(pod.status?.podIP ?? '', port || ports[0]?.containerPort);
}

/** A port number is one of the service; a name is one of its endpoints. */
export function serviceProxy(stores: Stores) {
  return async (context: RequestContext, endpoint: ResourceEndpoint): Promise<void> => {
    const { namespace, name: id } = context.info;
    const { name, port } = targetOf(id, 'service');
    const portName = /^[+-]?[0-9]+$/.test(port) ? await portNameOf(endpoint, namespace, name, Number(port)) : port;
    const endpoints = await stores.reader(ENDPOINTS).find(namespace, name);
    if (endpoints === undefined) throw notFound(endpoint.resource, name);
    const { subsets = [] } = endpoints;
    if (subsets.length === 0) throw serviceUnavailable(`no endpoints available for service ${quoteGo(name)}`);
    const [found] = subsets.flatMap((subset) => addressesOf(subset, portName));
    if (found === undefined) throw serviceUnavailable(`no endpoints available for service ${quoteGo(id)}`);
    throw unreachable(found.host, found.port);
  };
}

export async function nodeProxy(context: RequestContext, endpoint: ResourceEndpoint): Promise<void> {
  const { name, port } = targetOf(context.info.name, 'node');
  const { status } = asKind<Node>((await endpoint.store.reader.get('', name)).decode());
  const addresses = status?.addresses ?? [];
  const [host] = ADDRESS_TYPES.flatMap((type) => addresses.filter((each) => each.type === type));
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw unclassified(`no preferred addresses found; known addresses: [${known}]`);
  }
  throw unreachable(host.address, port || status?.daemonEndpoints?.kubeletEndpoint?.Port || KUBELET_PORT);
}

/** `name`, `name:port` or `scheme:name:port`. Upstream: `SplitSchemeNamePort`. */
function targetOf(id: string, kind: string): { readonly name: string; readonly port: string } {
  const parts = id.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !SCHEMES.includes(scheme)) {
    throw badRequest(`invalid ${kind} request ${quoteGo(id)}`);
  }
  return { name, port };
}

async function portNameOf(service: ResourceEndpoint, namespace: string, name: string, number: number): Promise<string> {
  const { spec } = asKind<Service>((await service.store.reader.get(namespace, name)).decode());
  const port = spec?.ports?.find((each) => each.port === number);
  if (port === undefined) throw serviceUnavailable(`no service port ${number} found for service ${quoteGo(name)}`);
  return port.name ?? '';
}

/** Only addresses of pods count. */
function addressesOf({ addresses = [], ports = [] }: EndpointSubset, portName: string) {
  const found = ports.find(({ name = '' }) => name === portName);
  if (found === undefined) return [];
  return addresses
    .filter(({ targetRef }) => targetRef?.kind === 'Pod')
    .map(({ ip }) => ({ host: ip, port: found.port }));
}

/** Without a port, the scheme decides. */
function unreachable(host: string, port: string | number | undefined): StatusError {
  const family = isIP(host);
  const isSpecial = family !== 0 && special.check(host, family === 6 ? 'ipv6' : 'ipv4');
  if (host === '' || isSpecial) return badRequest('address not allowed');
  const name = family === 6 ? `[${host}]` : host;
  const address = port === undefined ? name : `${name}:${port}`;
  return serviceUnavailable(`error trying to reach service: ${address} is in no network of this server`);
}
