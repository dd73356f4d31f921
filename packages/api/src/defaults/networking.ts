import type { EndpointPort } from '../generated/types/discovery-v1.js';
import type { IngressClassSpec, NetworkPolicyPort, NetworkPolicySpec } from '../generated/types/networking-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';

function defaultNetworkPolicySpec(spec: NetworkPolicySpec): void {
  if (spec.policyTypes && spec.policyTypes.length > 0) return;
  spec.policyTypes = spec.egress && spec.egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

export const networkingDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.networking.v1.NetworkPolicySpec', defaultNetworkPolicySpec),
  typeRule('io.k8s.api.networking.v1.NetworkPolicyPort', (port: NetworkPolicyPort) => {
    port.protocol ??= 'TCP';
  }),
  typeRule('io.k8s.api.networking.v1.IngressClassSpec', (spec: IngressClassSpec) => {
    if (spec.parameters) spec.parameters.scope ??= 'Cluster';
  }),
  typeRule('io.k8s.api.discovery.v1.EndpointPort', (port: EndpointPort) => {
    port.name ??= '';
    port.protocol ??= 'TCP';
  }),
];
