import { Buffer } from 'node:buffer';
import { type FieldError, invalidValue, notSupported, quoteGo, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsPathSegment,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePortNumber,
} from '@binnacle/apimachinery/validation';
import type { APIService, APIServiceSpec } from '../generated/types/apiregistration-v1.js';
import { each, plainMetadata, requireText } from './common.js';

// Upstream: kube-aggregator `pkg/apis/apiregistration/validation`.

const GROUP_PRIORITY_MAXIMUM = 20_000;
const VERSION_PRIORITY_MAXIMUM = 1_000;
const CONDITION_STATUSES = ['True', 'False', 'Unknown'];

export function validateAPIService(object: APIService): FieldError[] {
  const given: Partial<APIServiceSpec> = object.spec ?? {};
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = given;
  return [
    ...named('metadata.generateName', object.metadata?.generateName ?? '', `${version}.${group}`),
    ...named('metadata.name', object.metadata?.name ?? '', `${version}.${group}`),
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : invalidFor('spec.group', group, validateDns1123Subdomain(group))),
    ...invalidFor('spec.version', version, validateDns1035Label(version)),
    ...priority(groupPriorityMinimum, GROUP_PRIORITY_MAXIMUM, 'spec.groupPriorityMinimum'),
    ...priority(versionPriority, VERSION_PRIORITY_MAXIMUM, 'spec.versionPriority'),
    ...(given.service === undefined ? local(given) : remote(given, given.service)),
  ];
}

/** An APIService is named `version.group`. A name that is not a valid path segment gets only that error. */
function named(field: string, name: string, wanted: string): FieldError[] {
  if (name === '' || name === wanted || nameIsPathSegment(name, false).length > 0) return [];
  return [invalidValue(field, name, `must be \`spec.version+"."+spec.group\`: ${quoteGo(wanted)}`)];
}

function priority(value: number, maximum: number, field: string): FieldError[] {
  if (value > 0 && value <= maximum) return [];
  return [invalidValue(field, value, `must be positive and less than ${maximum}`)];
}

function local({ caBundle = '', insecureSkipTLSVerify }: Partial<APIServiceSpec>): FieldError[] {
  const size = Buffer.byteLength(caBundle, 'base64');
  return [
    ...(size === 0
      ? []
      : [invalidValue('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle')]),
    ...(insecureSkipTLSVerify === true
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function remote(spec: Partial<APIServiceSpec>, service: NonNullable<APIServiceSpec['service']>): FieldError[] {
  const port = service.port ?? 0;
  const problems = validatePortNumber(port);
  return [
    ...requireText(service.namespace, 'spec.service.namespace'),
    ...requireText(service.name, 'spec.service.name'),
    ...(problems.length === 0
      ? []
      : [invalidValue('spec.service.port', port, `port is not valid: ${problems.join(', ')}`)]),
    ...(spec.insecureSkipTLSVerify === true && (spec.caBundle ?? '') !== ''
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}

export function validateAPIServiceUpdate(object: APIService): FieldError[] {
  return [...plainMetadata(object, false, nameIsPathSegment), ...validateAPIService(object)];
}

export function validateAPIServiceStatusUpdate(object: APIService): FieldError[] {
  return each(object.status?.conditions, 'status.conditions', ({ status }, path) =>
    CONDITION_STATUSES.includes(status) ? [] : [notSupported(`${path}.status`, status ?? '', CONDITION_STATUSES)],
  );
}
