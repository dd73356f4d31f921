import { type FieldError, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsSubdomain,
  semanticEqual,
  validateIpForLegacyField,
  validatePortNumber,
} from '@binnacle/apimachinery/validation';
import type { EndpointAddress, EndpointPort, Endpoints } from '../../generated/types/core-v1.js';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  list,
  finalizerDomains,
  qualifiedName,
  requireOneOf,
  wholeMetadata,
} from '../common.js';
import { PROTOCOLS } from '../pod/ports.js';
import { validateNonSpecialIp } from './special-ips.js';

/** Upstream: `ValidateEndpoints`. */
export function validateEndpoints(object: Endpoints): FieldError[] {
  return each(object.subsets, 'subsets', (subset, path) => [
    ...(list(subset.addresses).length + list(subset.notReadyAddresses).length === 0
      ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
      : []),
    ...each(subset.addresses, `${path}.addresses`, address),
    ...each(subset.notReadyAddresses, `${path}.notReadyAddresses`, address),
    ...each(subset.ports, `${path}.ports`, (port, portPath) =>
      endpointPort(port, list(subset.ports).length > 1, portPath),
    ),
  ]);
}

function address(item: EndpointAddress, path: string): FieldError[] {
  return [
    ...invalidFor(`${path}.ip`, item.ip ?? '', validateIpForLegacyField(item.ip ?? '')),
    ...(item.hostname ? dnsLabel(item.hostname, `${path}.hostname`) : []),
    ...(item.nodeName === undefined ? [] : dnsSubdomain(item.nodeName, `${path}.nodeName`)),
    ...validateNonSpecialIp(item.ip ?? '', `${path}.ip`),
  ];
}

function endpointPort(port: EndpointPort, nameRequired: boolean, path: string): FieldError[] {
  const name = port.name ?? '';
  return [
    ...(name !== '' ? dnsLabel(name, `${path}.name`) : nameRequired ? [required(`${path}.name`, '')] : []),
    ...invalidFor(`${path}.port`, port.port ?? 0, validatePortNumber(port.port ?? 0)),
    ...requireOneOf(port.protocol, PROTOCOLS, `${path}.protocol`),
    ...(port.appProtocol === undefined ? [] : qualifiedName(port.appProtocol, `${path}.appProtocol`)),
  ];
}

/** Unchanged subsets are not validated again. */
export function validateEndpointsUpdate(object: Endpoints, old: Endpoints): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...(semanticEqual(object.subsets, old.subsets) ? [] : validateEndpoints(object)),
  ];
}
