import { type FieldError, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsPathSegment,
  validateDns1123Subdomain,
  validateImmutable,
  validateIp,
} from '@binnacle/apimachinery/validation';
import type { IPAddress } from '../../generated/types/networking-v1.js';
import { finalizerDomains, wholeMetadata } from '../common.js';

// Upstream: `ValidateIPAddress`.

const field = 'spec.parentRef';

/** An IPAddress is named after its address. */
export function ipAddressName(name: string): string[] {
  return validateIp(name);
}

export function validateIPAddress(object: IPAddress): FieldError[] {
  const parent = object.spec?.parentRef;
  if (parent === undefined) return [required(field, '')];
  const { group = '', namespace = '' } = parent;
  return [
    ...(group === '' ? [] : invalidFor(`${field}.group`, group, validateDns1123Subdomain(group))),
    ...segment(parent.resource, `${field}.resource`),
    ...segment(parent.name, `${field}.name`),
    ...(namespace === '' ? [] : segment(namespace, `${field}.namespace`)),
  ];
}

function segment(value: string | undefined, path: string): FieldError[] {
  return value ? invalidFor(path, value, nameIsPathSegment(value, false)) : [required(path, '')];
}

export function validateIPAddressUpdate(object: IPAddress, old: IPAddress): FieldError[] {
  return [
    ...wholeMetadata(object, false, ipAddressName),
    ...validateIPAddress(object),
    ...finalizerDomains(object),
    ...validateImmutable(object.spec?.parentRef, old.spec?.parentRef, field),
  ];
}
