import { type FieldError, forbiddenField, invalidValue, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  parseIpAddress,
  validateDns1123Subdomain,
  validateIpForLegacyField,
} from '@binnacle/apimachinery/validation';
import type { LoadBalancerIngress, Service } from '../../generated/types/core-v1.js';
import type { Ingress, IngressLoadBalancerIngress } from '../../generated/types/networking-v1.js';
import { each, finalizerDomains, list, optionalOneOf } from '../common.js';

// The addresses of a load balancer. Upstream: `ValidateLoadBalancerStatus`, `ValidateIngressLoadBalancerStatus`.

const field = 'status.loadBalancer.ingress';
const MODES = ['Proxy', 'VIP'];

export function validateServiceStatusUpdate(object: Service, old: Service): FieldError[] {
  const points = list(object.status?.loadBalancer?.ingress);
  if (object.spec?.type !== 'LoadBalancer' && points.length > 0) {
    return [...finalizerDomains(object), forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const accepted = addresses(old.status?.loadBalancer?.ingress);
  return [
    ...finalizerDomains(object),
    ...each(points, field, (point, path) => [
      ...address(point, path, accepted),
      ...mode(point, path),
      ...hostName(point, path),
    ]),
  ];
}

export function validateIngressStatusUpdate(object: Ingress, old: Ingress): FieldError[] {
  const accepted = addresses(old.status?.loadBalancer?.ingress);
  return [
    ...finalizerDomains(object),
    ...each(object.status?.loadBalancer?.ingress, field, (point, path) => [
      ...address(point, path, accepted),
      ...hostName(point, path),
    ]),
  ];
}

type Point = LoadBalancerIngress | IngressLoadBalancerIngress;

function addresses(points: readonly Point[] | undefined): ReadonlySet<string> {
  return new Set(list(points).flatMap(({ ip }) => (ip ? [ip] : [])));
}

function address({ ip }: Point, path: string, accepted: ReadonlySet<string>): FieldError[] {
  return ip ? invalidFor(`${path}.ip`, ip, validateIpForLegacyField(ip, { accepted })) : [];
}

function mode({ ip, ipMode }: LoadBalancerIngress, path: string): FieldError[] {
  const at = `${path}.ipMode`;
  if (ipMode === undefined) return ip ? [required(at, 'must be specified when `ip` is set')] : [];
  return ip ? optionalOneOf(ipMode, MODES, at) : [forbiddenField(at, 'may not be specified when `ip` is not set')];
}

function hostName({ hostname }: Point, path: string): FieldError[] {
  if (!hostname) return [];
  const errors = invalidFor(`${path}.hostname`, hostname, validateDns1123Subdomain(hostname));
  if (parseIpAddress(hostname) === undefined) return errors;
  return [...errors, invalidValue(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address')];
}
