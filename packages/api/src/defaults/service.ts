import type { EndpointPort, Service, ServicePort, ServiceSpec } from '../generated/types/core-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';
import { isEmpty } from './values.js';

const clientIPAffinitySeconds = 10800;

/** Upstream: `SetDefaults_Service`. */
function defaultServiceSpec(spec: ServiceSpec): void {
  if (isEmpty(spec.sessionAffinity)) spec.sessionAffinity = 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? clientIPAffinitySeconds;
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: seconds } };
  }
  if (isEmpty(spec.type)) spec.type = 'ClusterIP';
  if (isExternallyReachable(spec) && isEmpty(spec.externalTrafficPolicy)) spec.externalTrafficPolicy = 'Cluster';
  if (spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function isExternallyReachable(spec: ServiceSpec): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
  );
}

function defaultServicePort(port: ServicePort): void {
  if (isEmpty(port.protocol)) port.protocol = 'TCP';
  if (port.targetPort === undefined || port.targetPort === null || port.targetPort === 0 || port.targetPort === '') {
    port.targetPort = port.port;
  }
}

/** Runs before the spec is defaulted. Only an explicit type counts, and `ClusterIP` needs no defaults here. */
function defaultService(service: Service): void {
  if (service.spec?.type !== 'LoadBalancer') return;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

export const serviceDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.core.v1.Service', defaultService),
  typeRule('io.k8s.api.core.v1.ServiceSpec', defaultServiceSpec),
  typeRule('io.k8s.api.core.v1.ServicePort', defaultServicePort),
  typeRule('io.k8s.api.core.v1.EndpointPort', (port: EndpointPort) => {
    if (isEmpty(port.protocol)) port.protocol = 'TCP';
  }),
];
