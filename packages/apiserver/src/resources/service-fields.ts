import type { Service, ServicePort, ServiceSpec } from '@binnacle/api/types/core-v1';
import { semanticEqual } from '@binnacle/apimachinery/validation';

type Spec = Readonly<ServiceSpec>;

export function hasClusterIp(spec: Spec): boolean {
  return spec.type !== 'ExternalName';
}

export function hasNodePorts(spec: Spec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

export function hasHealthCheckPort(spec: Spec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** The node ports that are set. */
export function nodePortsOf(spec: { readonly ports?: readonly ServicePort[] | undefined }): number[] {
  return (spec.ports ?? []).flatMap((port) => (port.nodePort ? [port.nodePort] : []));
}

/**
 * Drops the values that a service's new type does not use, unless the client changed them in the same update;
 * validation then refuses them. Upstream: kubernetes `pkg/registry/core/service` dropTypeDependentFields.
 */
export function dropUnusedValues(service: Service, old: Readonly<Service>): void {
  const spec = service.spec ?? {};
  const before = old.spec ?? {};
  const unchanged = (field: keyof ServiceSpec) => semanticEqual(spec[field], before[field]);
  const drop = (...fields: readonly (keyof ServiceSpec)[]) => fields.forEach((field) => delete spec[field]);

  if (hasClusterIp(before) && !hasClusterIp(spec)) {
    if (unchanged('clusterIP') && unchanged('clusterIPs')) drop('clusterIP', 'clusterIPs');
    if (unchanged('ipFamilies')) drop('ipFamilies');
    if (unchanged('ipFamilyPolicy')) drop('ipFamilyPolicy');
  }
  if (hasNodePorts(before) && !hasNodePorts(spec)) {
    const known = nodePortsOf(before);
    if (nodePortsOf(spec).every((port) => known.includes(port)))
      for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (hasHealthCheckPort(before) && !hasHealthCheckPort(spec) && unchanged('healthCheckNodePort'))
    drop('healthCheckNodePort');
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (unchanged('allocateLoadBalancerNodePorts')) drop('allocateLoadBalancerNodePorts');
    if (unchanged('loadBalancerClass')) drop('loadBalancerClass');
  }
  if (isReachableFromOutside(before) && !isReachableFromOutside(spec) && unchanged('externalTrafficPolicy')) {
    drop('externalTrafficPolicy');
  }
  // The load balancer is still being removed, but the status no longer shows it.
  if (spec.type !== 'LoadBalancer' && service.status !== undefined) service.status.loadBalancer = {};
}

/** An ExternalName service has no internal traffic. Upstream drops the policy from every answer. */
export function dropInternalPolicy({ spec }: Service): void {
  if (spec?.type === 'ExternalName') delete spec.internalTrafficPolicy;
}

function isReachableFromOutside(spec: Spec): boolean {
  return hasNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);
}
