/** Strategies of the groups networking.k8s.io and discovery.k8s.io. Upstream: `pkg/registry/networking`, `pkg/registry/discovery`. */
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR } from '@binnacle/api/types/networking-v1';
import {
  endpointSliceWarnings,
  ipAddressName,
  networkPolicyWarnings,
  validateEndpointSlice,
  validateEndpointSliceUpdate,
  validateIngress,
  validateIngressClass,
  validateIngressClassUpdate,
  validateIngressUpdate,
  validateIPAddress,
  validateIPAddressUpdate,
  validateNetworkPolicy,
  validateNetworkPolicyUpdate,
  validateServiceCIDR,
  validateServiceCIDRUpdate,
} from '@binnacle/api/validation';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { content, kind, spec } from './kind.js';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

export const ingressStrategy: Strategy = kind<Ingress>({
  status: true,
  desired: spec,
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  warnings(ingress, old) {
    if (old !== undefined || ingress.metadata.annotations?.[CLASS_ANNOTATION] === undefined) return [];
    return [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
});

export const ingressClassStrategy: Strategy = kind<IngressClass>({
  desired: spec,
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
});

export const networkPolicyStrategy: Strategy = kind<NetworkPolicy>({
  desired: policySpec,
  validate: validateNetworkPolicy,
  validateUpdate: validateNetworkPolicyUpdate,
  warnings: networkPolicyWarnings,
});

/** An empty list counts as a change. Upstream compares with Go's `reflect.DeepEqual`. */
function policySpec(policy: Readonly<KubernetesObject>): object {
  const { ingress, egress, policyTypes } = asKind<NetworkPolicy>(policy).spec ?? {};
  return { ...spec(policy), empty: [ingress, egress, policyTypes].map((list) => list?.length === 0) };
}

/** The generation counts changes of everything but metadata, and of the labels, which identify the Service. */
export const endpointSliceStrategy: Strategy = kind<EndpointSlice>({
  desired: (object) => ({ ...content(object), metadata: { labels: object.metadata.labels } }),
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  warnings: endpointSliceWarnings,
  prepareForCreate: dropTopology,
  prepareForUpdate(object, old) {
    if (!semanticEqual(object.endpoints, old.endpoints)) dropTopology(object);
  },
});

/** Only older versions of the kind have topology. */
function dropTopology(object: EndpointSlice): void {
  for (const endpoint of object.endpoints ?? []) delete endpoint.deprecatedTopology;
}

/** Named after the address that it claims. */
export const ipAddressStrategy: Strategy = kind<IPAddress>(
  { validate: validateIPAddress, validateUpdate: validateIPAddressUpdate },
  { validateName: ipAddressName },
);

export const serviceCidrStrategy: Strategy = kind<ServiceCIDR>({
  status: true,
  validate: validateServiceCIDR,
  validateUpdate: validateServiceCIDRUpdate,
});
