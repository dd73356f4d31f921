import { duplicate, type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  errorsOfEach,
  invalidFor,
  validateCidrForLegacyField,
  validateIpForLegacyField,
  validateLabels,
  validatePortNumber,
} from '@binnacle/apimachinery/validation';
import type { Service, ServicePort, ServiceSpec } from '../../generated/types/core-v1.js';
import {
  dnsLabel,
  dnsSubdomain,
  each,
  list,
  finalizerDomains,
  optionalOneOf,
  qualifiedName,
  requireOneOf,
} from '../common.js';
import { PROTOCOLS, validatePortReference } from '../pod/ports.js';
import { isHeadless, validateClusterIps, validateClusterIpsUpdate } from './service-cluster-ips.js';
import { validateNonSpecialIp } from './special-ips.js';

// Upstream: `ValidateService`.

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const AFFINITY_MAXIMUM = 86400;
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";

const RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const HINTS_ANNOTATION = 'service.kubernetes.io/topology-aware-hints';
const MODE_ANNOTATION = 'service.kubernetes.io/topology-mode';

export function validateService(object: Service): FieldError[] {
  return service(object, undefined);
}

/** Accepts addresses of the old object in any form. */
function service(object: Service, old: Service | undefined): FieldError[] {
  const spec = object.spec ?? {};
  const externalIps = new Set(old?.spec?.externalIPs);
  return [
    ...topologyAnnotations(object),
    ...(list(spec.ports).length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
      ? [required('spec.ports', '')]
      : []),
    ...typeErrors(spec),
    ...ports(spec.ports),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...affinity(spec),
    ...validateClusterIps(spec, new Set(old?.spec?.clusterIPs)),
    ...each(spec.externalIPs, 'spec.externalIPs', (ip, path) => {
      const errors = invalidFor(path, ip, validateIpForLegacyField(ip, { accepted: externalIps }));
      return errors.length > 0 ? errors : validateNonSpecialIp(ip, path);
    }),
    ...requireOneOf(spec.type, TYPES, 'spec.type'),
    ...portNumbers(spec),
    ...loadBalancer(object, old),
    ...trafficPolicies(spec),
  ];
}

export function validateServiceUpdate(object: Service, old: Service): FieldError[] {
  const spec = object.spec ?? {};
  const before = old.spec ?? {};
  const bothLoadBalancers = spec.type === 'LoadBalancer' && before.type === 'LoadBalancer';
  const errors = [...finalizerDomains(object), ...validateClusterIpsUpdate(spec, before)];
  if (bothLoadBalancers && spec.loadBalancerClass !== before.loadBalancerClass) {
    errors.push(invalidValue('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'));
  }
  if (needsHealthCheck(spec) && needsHealthCheck(before) && spec.healthCheckNodePort !== before.healthCheckNodePort) {
    errors.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'));
  }
  return [...errors, ...service(object, old)];
}

function topologyAnnotations(object: Service): FieldError[] {
  const annotations = object.metadata?.annotations ?? {};
  const hints = annotations[HINTS_ANNOTATION];
  const mode = annotations[MODE_ANNOTATION];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${HINTS_ANNOTATION}] when both are specified`;
  return [invalidValue(`metadata.annotations[${MODE_ANNOTATION}]`, mode, detail)];
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    if (!isHeadless(spec)) return [];
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`)];
  }
  if (spec.type !== 'ExternalName') return [];
  const detail = 'may not be set for ExternalName services';
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  return [
    ...(list(spec.clusterIPs).length > 0 ? [forbiddenField('spec.clusterIPs', detail)] : []),
    ...(list(spec.ipFamilies).length > 0 ? [forbiddenField('spec.ipFamilies', detail)] : []),
    ...(spec.ipFamilyPolicy === undefined ? [] : [forbiddenField('spec.ipFamilyPolicy', detail)]),
    ...(name === '' ? [required('spec.externalName', '')] : dnsSubdomain(name, 'spec.externalName')),
  ];
}

function ports(given: readonly ServicePort[] | undefined): FieldError[] {
  const names = new Set<string>();
  return each(given, 'spec.ports', (port, path) => {
    const name = port.name ?? '';
    const errors: FieldError[] = [];
    if (name !== '') {
      errors.push(...dnsLabel(name, `${path}.name`));
      if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
      names.add(name);
    } else if (list(given).length > 1) {
      errors.push(required(`${path}.name`, ''));
    }
    return [
      ...errors,
      ...invalidFor(`${path}.port`, port.port ?? 0, validatePortNumber(port.port ?? 0)),
      ...requireOneOf(port.protocol, PROTOCOLS, `${path}.protocol`),
      ...validatePortReference(port.targetPort, `${path}.targetPort`),
      ...(port.appProtocol === undefined ? [] : qualifiedName(port.appProtocol, `${path}.appProtocol`)),
    ];
  });
}

function affinity(spec: ServiceSpec): FieldError[] {
  const field = 'spec.sessionAffinityConfig';
  const errors = requireOneOf(spec.sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity');
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig !== undefined) {
    errors.push(forbiddenField(field, 'must not be set when session affinity is None'));
  }
  if (spec.sessionAffinity !== 'ClientIP') return errors;
  const when = 'when session affinity type is ClientIP';
  const config = spec.sessionAffinityConfig;
  if (config === undefined) return [...errors, required(field, when)];
  if (config.clientIP === undefined) return [...errors, required(`${field}.clientIP`, when)];
  const seconds = config.clientIP.timeoutSeconds;
  if (seconds === undefined) return [...errors, required(`${field}.clientIP.timeoutSeconds`, when)];
  if (seconds > 0 && seconds <= AFFINITY_MAXIMUM) return errors;
  const detail = `must be greater than 0 and less than ${AFFINITY_MAXIMUM}`;
  return [...errors, invalidValue(`${field}.clientIP.timeoutSeconds`, seconds, detail)];
}

function portNumbers(spec: ServiceSpec): FieldError[] {
  const nodePorts = new Set<string>();
  const numbers = new Set<string>();
  const forbidden = each(spec.ports, 'spec.ports', (port, path) =>
    spec.type === 'ClusterIP' && port.nodePort
      ? [forbiddenField(`${path}.nodePort`, "may not be used when `type` is 'ClusterIP'")]
      : [],
  );
  const nodes = each(spec.ports, 'spec.ports', (port, path) => {
    if (!port.nodePort) return [];
    const key = `${port.protocol}/${port.nodePort}`;
    if (nodePorts.has(key)) return [duplicate(`${path}.nodePort`, port.nodePort)];
    nodePorts.add(key);
    return [];
  });
  const doubled = each(spec.ports, 'spec.ports', (port, path) => {
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key)) return [duplicate(path, shownPort(port))];
    numbers.add(key);
    return [];
  });
  return [...forbidden, ...nodes, ...doubled];
}

function shownPort(port: ServicePort): object {
  const { protocol = '', port: number } = port;
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
}

/** The source ranges of a load balancer, from the field or else the annotation. */
function sourceRanges(object: Service, old: Service | undefined): FieldError[] {
  const ranges = list(object.spec?.loadBalancerSourceRanges);
  const forbidden = (path: string): FieldError[] =>
    object.spec?.type === 'LoadBalancer' ? [] : [forbiddenField(path, ONLY_LOAD_BALANCER)];
  const check = (range: string, path: string, accepted?: ReadonlySet<string>): FieldError[] =>
    invalidFor(
      path,
      range.trim(),
      validateCidrForLegacyField(range.trim(), accepted === undefined ? {} : { accepted }),
    );
  if (ranges.length > 0) {
    const field = 'spec.LoadBalancerSourceRanges';
    const accepted = new Set(list(old?.spec?.loadBalancerSourceRanges).map((range) => range.trim()));
    return [...forbidden(field), ...each(ranges, field, (range, path) => check(range, path, accepted))];
  }
  const annotation = object.metadata?.annotations?.[RANGES_ANNOTATION];
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${RANGES_ANNOTATION}]`;
  const same = annotation === old?.metadata?.annotations?.[RANGES_ANNOTATION];
  const given = same || annotation.trim() === '' ? [] : annotation.split(',');
  return [...forbidden(field), ...errorsOfEach(given, (range) => check(range, field))];
}

function loadBalancer(object: Service, old: Service | undefined): FieldError[] {
  const spec = object.spec ?? {};
  const isLoadBalancer = spec.type === 'LoadBalancer';
  const errors = sourceRanges(object, old);
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer) {
    errors.push(forbiddenField('spec.allocateLoadBalancerNodePorts', ONLY_LOAD_BALANCER));
  }
  if (spec.allocateLoadBalancerNodePorts === undefined && isLoadBalancer) {
    errors.push(required('allocateLoadBalancerNodePorts', ''));
  }
  if (spec.loadBalancerClass === undefined) return errors;
  if (!isLoadBalancer) return [...errors, forbiddenField('spec.loadBalancerClass', ONLY_LOAD_BALANCER)];
  return [...errors, ...qualifiedName(spec.loadBalancerClass, 'spec.loadBalancerClass')];
}

function isExternal(spec: ServiceSpec): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && list(spec.externalIPs).length > 0)
  );
}

function needsHealthCheck(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** healthCheckNodePort is allocated after validation, so it may be absent here. */
function trafficPolicies(spec: ServiceSpec): FieldError[] {
  const policies = ['Cluster', 'Local'];
  const errors: FieldError[] = [];
  const external = 'spec.externalTrafficPolicy';
  if (isExternal(spec)) errors.push(...requireOneOf(spec.externalTrafficPolicy, policies, external));
  else if (spec.externalTrafficPolicy) {
    const detail = 'may only be set for externally-accessible services';
    errors.push(invalidValue(external, spec.externalTrafficPolicy, detail));
  }
  const health = spec.healthCheckNodePort ?? 0;
  if (health !== 0) errors.push(...healthCheck(spec, health));
  if (spec.type !== 'ExternalName' && spec.internalTrafficPolicy === undefined && TYPES.includes(spec.type ?? '')) {
    errors.push(required('spec.internalTrafficPolicy', ''));
  }
  errors.push(...optionalOneOf(spec.internalTrafficPolicy, policies, 'spec.internalTrafficPolicy'));
  const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  return [...errors, ...optionalOneOf(spec.trafficDistribution, distributions, 'spec.trafficDistribution')];
}

function healthCheck(spec: ServiceSpec, port: number): FieldError[] {
  if (needsHealthCheck(spec)) return invalidFor('spec.healthCheckNodePort', port, validatePortNumber(port));
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [invalidValue('spec.healthCheckNodePort', port, detail)];
}
