import { duplicate, type FieldError, invalidValue, required, tooMany } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  parseIpAddress,
  semanticEqual,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateImmutable,
  validateIp,
  validateIpForLegacyField,
  validateLabelValue,
  warningsForIp,
} from '@binnacle/apimachinery/validation';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../generated/types/discovery-v1.js';
import { dnsLabel, dnsSubdomain, each, list, qualifiedName, requireOneOf, wholeMetadata } from '../common.js';
import { PROTOCOLS } from '../pod/ports.js';
import { validateNonSpecialIp } from './special-ips.js';

// Upstream: `ValidateEndpointSlice`.

const ENDPOINTS_MAXIMUM = 1000;
const ADDRESSES_MAXIMUM = 100;
const PORTS_MAXIMUM = 20_000;
const HINTS_MAXIMUM = 8;
const OWN_CONTROLLERS = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

export function validateEndpointSlice(object: EndpointSlice): FieldError[] {
  return [...addressTypeAndPorts(object), ...endpoints(object)];
}

function addressTypeAndPorts(object: EndpointSlice): FieldError[] {
  return [...requireOneOf(object.addressType, ['FQDN', 'IPv4', 'IPv6'], 'addressType'), ...ports(object)];
}

/** Warns about addresses in a non-canonical form. Slices of the server's own controllers are exempt. */
export function endpointSliceWarnings(object: EndpointSlice, old: EndpointSlice | undefined): string[] {
  const warnings =
    old === undefined && object.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : [];
  if (OWN_CONTROLLERS.includes(object.metadata?.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) {
    return warnings;
  }
  const given = list(object.endpoints).flatMap((endpoint, index) =>
    list(endpoint.addresses).flatMap((address, at) => warningsForIp(`endpoints[${index}].addresses[${at}]`, address)),
  );
  return [...warnings, ...given];
}

function endpoints(object: EndpointSlice): FieldError[] {
  const count = list(object.endpoints).length;
  if (count > ENDPOINTS_MAXIMUM) return [tooMany('endpoints', count, ENDPOINTS_MAXIMUM)];
  return each(object.endpoints, 'endpoints', (endpoint, path) => [
    ...addresses(endpoint, object.addressType, `${path}.addresses`),
    ...(endpoint.nodeName === undefined ? [] : dnsSubdomain(endpoint.nodeName, `${path}.nodeName`)),
    ...(endpoint.hostname === undefined ? [] : dnsLabel(endpoint.hostname, `${path}.hostname`)),
    ...(endpoint.hints === undefined ? [] : hints(endpoint.hints, `${path}.hints`)),
  ]);
}

function hints({ forZones, forNodes }: EndpointHints, field: string): FieldError[] {
  const zones = `${field}.forZones`;
  const nodes = `${field}.forNodes`;
  const zoneCount = list(forZones).length;
  if (zoneCount > HINTS_MAXIMUM) return [tooMany(zones, zoneCount, HINTS_MAXIMUM)];
  const errors = named(forZones, zones, validateLabelValue);
  const nodeCount = list(forNodes).length;
  if (nodeCount > HINTS_MAXIMUM) return [...errors, tooMany(nodes, nodeCount, HINTS_MAXIMUM)];
  return [...errors, ...named(forNodes, nodes, validateDns1123Subdomain)];
}

function named(
  items: readonly { name?: string }[] | undefined,
  field: string,
  rule: (name: string) => string[],
): FieldError[] {
  const seen = new Set<string>();
  return each(items, field, ({ name = '' }, path) => {
    const repeated = seen.has(name) ? [duplicate(`${path}.name`, name)] : [];
    seen.add(name);
    return [...repeated, ...invalidFor(`${path}.name`, name, rule(name))];
  });
}

function addresses(endpoint: Endpoint, type: string, field: string): FieldError[] {
  const given = list(endpoint.addresses);
  const errors: FieldError[] = [];
  if (given.length === 0) errors.push(required(field, 'must contain at least 1 address'));
  if (given.length > ADDRESSES_MAXIMUM) errors.push(tooMany(field, given.length, ADDRESSES_MAXIMUM));
  return [
    ...errors,
    ...each(given, field, (address, path) => {
      if (type === 'IPv4' || type === 'IPv6') return ipAddress(address, type === 'IPv4' ? 4 : 6, path, field);
      return type === 'FQDN' ? domainName(address, path) : [];
    }),
  ];
}

/** An address of the wrong family is reported at the whole list. */
function ipAddress(address: string, family: 4 | 6, path: string, whole: string): FieldError[] {
  const messages = family === 4 ? validateIpForLegacyField(address) : validateIp(address);
  if (messages.length > 0) return invalidFor(path, address, messages);
  const errors: FieldError[] = [];
  if (parseIpAddress(address)?.family !== family) {
    errors.push(invalidValue(whole, address, `must be an IPv${family} address`));
  }
  return [...errors, ...validateNonSpecialIp(address, path)];
}

function domainName(address: string, path: string): FieldError[] {
  if (address === '') return [required(path, '')];
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const messages = validateDns1123Subdomain(name);
  if (messages.length > 0) return [invalidValue(path, name, messages.join(','))];
  const labels = name.split('.');
  const wrong = labels.find((label) => validateDns1123Label(label).length > 0);
  if (labels.length > 1) {
    return wrong === undefined ? [] : [invalidValue(path, wrong, validateDns1123Label(wrong).join(','))];
  }
  return [invalidValue(path, name, 'should be a domain with at least two segments separated by dots')];
}

function ports(object: EndpointSlice): FieldError[] {
  const count = list(object.ports).length;
  if (count > PORTS_MAXIMUM) return [tooMany('ports', count, PORTS_MAXIMUM)];
  const names = new Set<string>();
  return each(object.ports, 'ports', (port, path) => {
    const name = port.name ?? '';
    const errors = name === '' ? [] : dnsLabel(name, `${path}.name`);
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    return [
      ...errors,
      ...requireOneOf(port.protocol, PROTOCOLS, `${path}.protocol`),
      ...(port.appProtocol === undefined ? [] : qualifiedName(port.appProtocol, `${path}.appProtocol`)),
    ];
  });
}

export function validateEndpointSliceUpdate(object: EndpointSlice, old: EndpointSlice): FieldError[] {
  return [
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...addressTypeAndPorts(object),
    ...(semanticEqual(object.endpoints, old.endpoints) ? [] : endpoints(object)),
    ...validateImmutable(object.addressType, old.addressType, 'addressType'),
  ];
}
