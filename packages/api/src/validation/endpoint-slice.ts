import { duplicate, type FieldError, invalidValue, required, tooMany } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  parseIpAddress,
  validateDns1123Subdomain,
  validateImmutable,
  validateIpForLegacyField,
} from '@binnacle/apimachinery/validation';
import type { Endpoint, EndpointSlice } from '../generated/types/discovery-v1.js';
import { dnsLabel, dnsSubdomain, each, list, qualifiedName, requireOneOf, wholeMetadata } from './common.js';
import { PROTOCOLS } from './pod/ports.js';
import { validateNonSpecialIp } from './special-ips.js';

/** Upstream: `ValidateEndpointSlice`. */
const ENDPOINTS_MAXIMUM = 1000;
const ADDRESSES_MAXIMUM = 100;
const PORTS_MAXIMUM = 20_000;

export function validateEndpointSlice(object: EndpointSlice): FieldError[] {
  return [
    ...requireOneOf(object.addressType, ['FQDN', 'IPv4', 'IPv6'], 'addressType'),
    ...endpoints(object),
    ...ports(object),
  ];
}

function endpoints(object: EndpointSlice): FieldError[] {
  const count = list(object.endpoints).length;
  if (count > ENDPOINTS_MAXIMUM) return [tooMany('endpoints', count, ENDPOINTS_MAXIMUM)];
  return each(object.endpoints, 'endpoints', (endpoint, path) => [
    ...addresses(endpoint, object.addressType, `${path}.addresses`),
    ...(endpoint.nodeName === undefined ? [] : dnsSubdomain(endpoint.nodeName, `${path}.nodeName`)),
    ...(endpoint.hostname === undefined ? [] : dnsLabel(endpoint.hostname, `${path}.hostname`)),
  ]);
}

function addresses(endpoint: Endpoint, type: string, field: string): FieldError[] {
  const given = list(endpoint.addresses);
  const errors: FieldError[] = [];
  if (given.length === 0) errors.push(required(field, 'must contain at least 1 address'));
  if (given.length > ADDRESSES_MAXIMUM) errors.push(tooMany(field, given.length, ADDRESSES_MAXIMUM));
  return [
    ...errors,
    ...each(given, field, (address, path) => {
      if (type === 'IPv4' || type === 'IPv6') return ipAddress(address, type === 'IPv4' ? 4 : 6, path);
      return type === 'FQDN' ? domainName(address, path) : [];
    }),
  ];
}

function ipAddress(address: string, family: 4 | 6, path: string): FieldError[] {
  const errors = invalidFor(path, address, validateIpForLegacyField(address));
  const parsed = parseIpAddress(address);
  if (parsed !== undefined && parsed.family !== family) {
    errors.push(invalidValue(path, address, `must be an IPv${family} address`));
  }
  return [...errors, ...validateNonSpecialIp(address, path)];
}

function domainName(address: string, path: string): FieldError[] {
  if (address === '') return [required(path, '')];
  const name = address.endsWith('.') ? address.slice(0, -1) : address;
  const messages = validateDns1123Subdomain(name);
  if (messages.length > 0) return [invalidValue(path, name, messages.join(','))];
  if (name.includes('.')) return [];
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
    ...validateEndpointSlice(object),
    ...validateImmutable(object.addressType, old.addressType, 'addressType'),
  ];
}
