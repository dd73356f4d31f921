import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  parseIpAddress,
  utf8Length,
  validateDns1123Subdomain,
  validateDomainPrefixedPath,
  validateImmutable,
  validatePortName,
  validatePortNumber,
  validateWildcardDns1123Subdomain,
} from '@binnacle/apimachinery/validation';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressRule,
  IngressSpec,
} from '../../generated/types/networking-v1.js';
import { dnsSubdomain, each, list, finalizerDomains, optionalOneOf, requireText, wholeMetadata } from '../common.js';

// Upstream: `pkg/apis/networking/validation`.

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const CONTROLLER_MAXIMUM = 250;

export function validateIngress(object: Ingress): FieldError[] {
  const errors = ingressSpec(object.spec ?? {}, {});
  const annotation = object.metadata?.annotations?.[CLASS_ANNOTATION];
  const className = object.spec?.ingressClassName;
  if (annotation !== undefined && className !== undefined && annotation !== className) {
    const detail = 'must match `ingressClassName` when both are specified';
    errors.push(invalidValue(`annotations.${CLASS_ANNOTATION}`, annotation, detail));
  }
  return errors;
}

/** Flaws that older servers accepted and an update may keep. */
interface Tolerance {
  readonly secretNames?: boolean;
  readonly wildcardRules?: boolean;
}

export function validateIngressUpdate(object: Ingress, old: Ingress): FieldError[] {
  const tolerance: Tolerance = {
    secretNames: list(old.spec?.tls).some(({ secretName }) => secretErrors(secretName, '').length > 0),
    wildcardRules: list(old.spec?.rules).some((item) => item.host?.includes('*') && ruleValue(item, '').length > 0),
  };
  return [
    ...finalizerDomains(object),
    ...wholeMetadata(object, true, nameIsDnsSubdomain),
    ...ingressSpec(object.spec ?? {}, tolerance),
  ];
}

function secretErrors(name: string | undefined, field: string): FieldError[] {
  return name ? dnsSubdomain(name, field) : [];
}

function ingressSpec(spec: IngressSpec, tolerance: Tolerance): FieldError[] {
  const errors: FieldError[] = [];
  if (list(spec.rules).length === 0 && spec.defaultBackend === undefined) {
    errors.push(invalidValue('spec', spec.rules, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec.defaultBackend !== undefined) errors.push(...backend(spec.defaultBackend, 'spec.defaultBackend'));
  errors.push(...each(spec.rules, 'spec.rules', (item, path) => rule(item, tolerance, path)));
  errors.push(
    ...each(spec.tls, 'spec.tls', (tls, path) => [
      ...each(tls.hosts, `${path}.hosts`, hostName),
      ...(tolerance.secretNames === true ? [] : secretErrors(tls.secretName, `${path}.secretName`)),
    ]),
  );
  if (spec.ingressClassName !== undefined) errors.push(...dnsSubdomain(spec.ingressClassName, 'spec.ingressClassName'));
  return errors;
}

function hostName(host: string, field: string): FieldError[] {
  const messages = host.includes('*') ? validateWildcardDns1123Subdomain(host) : validateDns1123Subdomain(host);
  return invalidFor(field, host, messages);
}

function rule(item: IngressRule, tolerance: Tolerance, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (item.host) {
    if (parseIpAddress(item.host) !== undefined) {
      errors.push(invalidValue(`${path}.host`, item.host, 'must be a DNS name, not an IP address'));
    }
    errors.push(...hostName(item.host, `${path}.host`));
  }
  if (tolerance.wildcardRules === true && item.host?.includes('*')) return errors;
  return [...errors, ...ruleValue(item, path)];
}

function ruleValue(item: IngressRule, path: string): FieldError[] {
  if (item.http === undefined) return [];
  const paths = `${path}.http.paths`;
  const errors = list(item.http.paths).length === 0 ? [required(paths, '')] : [];
  return [...errors, ...each(item.http.paths, paths, httpPath)];
}

function httpPath(item: HTTPIngressPath, path: string): FieldError[] {
  if (item.pathType === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  const text = item.path ?? '';
  const field = `${path}.path`;
  const errors = optionalOneOf(item.pathType, ['Exact', 'ImplementationSpecific', 'Prefix'], `${path}.pathType`);
  const strict = item.pathType === 'Exact' || item.pathType === 'Prefix';
  if (errors.length === 0 && !text.startsWith('/') && (strict || text !== '')) {
    errors.push(invalidValue(field, text, 'must be an absolute path'));
  }
  if (strict) {
    for (const sequence of ['//', '/./', '/../', '%2f', '%2F']) {
      if (text.includes(sequence)) errors.push(invalidValue(field, text, `must not contain '${sequence}'`));
    }
    for (const suffix of ['/..', '/.']) {
      if (text.endsWith(suffix)) errors.push(invalidValue(field, text, `cannot end with '${suffix}'`));
    }
  }
  return [...errors, ...backend(item.backend, `${path}.backend`)];
}

function backend(item: IngressBackend | undefined, field: string): FieldError[] {
  const { service, resource } = item ?? {};
  if (service !== undefined && resource !== undefined) {
    return [invalidValue(field, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return reference(resource, `${field}.resource`);
  if (service === undefined) return [invalidValue(field, '', 'resource or service backend is required')];
  const name = `${field}.service.name`;
  const { name: portName = '', number = 0 } = service.port ?? {};
  const errors = service.name
    ? invalidFor(name, service.name, nameIsDnsLabel(service.name, false))
    : [required(name, '')];
  if (portName !== '' && number !== 0)
    return [...errors, invalidValue(field, '', 'cannot set both port name & port number')];
  if (portName !== '')
    return [...errors, ...invalidFor(`${field}.service.port.name`, portName, validatePortName(portName))];
  if (number !== 0)
    return [...errors, ...invalidFor(`${field}.service.port.number`, number, validatePortNumber(number))];
  return [...errors, required(field, 'port name or number is required')];
}

interface Reference {
  readonly apiGroup?: string | undefined;
  readonly kind?: string;
  readonly name?: string;
}

function reference(item: Reference, field: string): FieldError[] {
  const segment = (value: string | undefined, name: string): FieldError[] => [
    ...requireText(value, `${field}.${name}`),
    ...(value ? invalidFor(`${field}.${name}`, value, nameIsPathSegment(value, false)) : []),
  ];
  return [
    ...(item.apiGroup === undefined ? [] : dnsSubdomain(item.apiGroup, `${field}.apiGroup`)),
    ...segment(item.kind, 'kind'),
    ...segment(item.name, 'name'),
  ];
}

export function validateIngressClass(object: IngressClass): FieldError[] {
  const { controller = '', parameters } = object.spec ?? {};
  const field = 'spec.controller';
  return [
    ...(utf8Length(controller) > CONTROLLER_MAXIMUM ? [tooLong(field, CONTROLLER_MAXIMUM)] : []),
    ...validateDomainPrefixedPath(controller, field),
    ...(parameters === undefined ? [] : classParameters(parameters)),
  ];
}

function classParameters(parameters: NonNullable<NonNullable<IngressClass['spec']>['parameters']>): FieldError[] {
  const field = 'spec.parameters';
  const errors = reference(parameters, field);
  const { scope, namespace } = parameters;
  if (scope === undefined) return [...errors, required(`${field}.scope`, '')];
  errors.push(...optionalOneOf(scope, ['Cluster', 'Namespace'], `${field}.scope`));
  const path = `${field}.namespace`;
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(path, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...invalidFor(path, namespace, nameIsDnsLabel(namespace, false)));
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    errors.push(forbiddenField(path, "`parameters.scope` is set to 'Cluster'"));
  }
  return errors;
}

export function validateIngressClassUpdate(object: IngressClass, old: IngressClass): FieldError[] {
  return [
    ...finalizerDomains(object),
    ...validateImmutable(object.spec?.controller ?? '', old.spec?.controller ?? '', 'spec.controller'),
    ...wholeMetadata(object, false, nameIsDnsSubdomain),
    ...validateIngressClass(object),
  ];
}
