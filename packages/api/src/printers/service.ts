import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Endpoints, EndpointSubset, Service, ServicePort } from '../generated/types/core-v1.js';
import type { EndpointPort, EndpointSlice } from '../generated/types/discovery-v1.js';
import { ageColumn, nameColumn, text, wide } from './column.js';
import { formatLabels, listSome, loadBalancerAddresses } from './format.js';
import { ageOf, nameOf, type PrintContext, printer, type PrinterEntry } from './printer.js';

const shownAtMost = 3;

function printService(service: Service, context: PrintContext): JsonValue[] {
  const { spec } = service;
  return [
    nameOf(service),
    spec?.type ?? '',
    spec?.clusterIPs?.[0] ?? '<none>',
    externalAddresses(service),
    (spec?.ports ?? []).map(servicePort).join(',') || '<none>',
    ageOf(service, context),
    formatLabels(spec?.selector),
  ];
}

function externalAddresses({ spec, status }: Service): string {
  const given = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return given.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerAddresses(status?.loadBalancer?.ingress);
      return [...(balanced === '' ? [] : [balanced]), ...given].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function servicePort(port: ServicePort): string {
  const node = port.nodePort ? `:${port.nodePort}` : '';
  return `${port.port ?? 0}${node}/${port.protocol ?? ''}`;
}

function printEndpoints(endpoints: Endpoints, context: PrintContext): JsonValue[] {
  return [nameOf(endpoints), formatSubsets(endpoints.subsets ?? []), ageOf(endpoints, context)];
}

/**
 * A subset without ports shows bare addresses. No subsets print as `<none>`; subsets without addresses as an empty
 * cell.
 */
function formatSubsets(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return '<none>';
  const shown: string[] = [];
  let count = 0;
  for (const subset of subsets) {
    const addresses = subset.addresses ?? [];
    const ports = subset.ports ?? [];
    for (const port of ports.length === 0 ? [undefined] : ports) {
      count += addresses.length;
      for (const { ip } of addresses.slice(0, shownAtMost - shown.length)) {
        shown.push(port === undefined ? ip : hostAndPort(ip, port.port ?? 0));
      }
    }
  }
  const list = shown.join(',');
  return count > shownAtMost ? `${list} + ${count - shownAtMost} more...` : list;
}

function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function printEndpointSlice(slice: EndpointSlice, context: PrintContext): JsonValue[] {
  const addresses = (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? []);
  return [
    nameOf(slice),
    slice.addressType ?? '',
    listSome((slice.ports ?? []).map(slicePort), '<unset>'),
    listSome(addresses, '<unset>'),
    ageOf(slice, context),
  ];
}

function slicePort(port: EndpointPort): string {
  return port.port === undefined || port.port === null ? (port.name ?? '*') : String(port.port);
}

export const servicePrinters: readonly PrinterEntry[] = [
  printer(
    '/Service',
    [
      nameColumn,
      text('Type', 'How the service is exposed.'),
      text('Cluster-IP', 'Address inside the cluster.'),
      text('External-IP', 'Addresses from outside the cluster.'),
      text('Port(s)', 'Ports, with the port on every node where there is one.'),
      ageColumn,
      wide(text('Selector', 'Labels of the pods that serve it.')),
    ],
    printService,
  ),
  printer('/Endpoints', [nameColumn, text('Endpoints', 'Addresses and ports that serve.'), ageColumn], printEndpoints),
  printer(
    'discovery.k8s.io/EndpointSlice',
    [
      nameColumn,
      text('AddressType', 'Family of its addresses.'),
      text('Ports', 'Ports of every endpoint.'),
      text('Endpoints', 'Addresses that serve.'),
      ageColumn,
    ],
    printEndpointSlice,
  ),
];
