import type { ControlLoop, LoopContext } from '../loop/index.js';

/** A control loop that `--controllers` can name. */
export interface LoopFacts {
  readonly name: string;
  /** Former names, which `--controllers` still accepts. */
  readonly aliases: readonly string[];
  /** The service account in `kube-system` that the loop acts as. */
  readonly serviceAccount: string;
  readonly enabledByDefault: boolean;
  /** Loads the loop's code and creates the loop. */
  readonly create: (context: LoopContext) => Promise<ControlLoop>;
}

/** All loops. Upstream: kubernetes `cmd/kube-controller-manager/names` and `app`. */
export const loops: readonly LoopFacts[] = [
  {
    name: 'clusterrole-aggregation-controller',
    aliases: ['clusterrole-aggregation'],
    serviceAccount: 'clusterrole-aggregation-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createClusterRoleAggregationLoop } = await import('../clusterroleaggregation/index.js');
      return createClusterRoleAggregationLoop(context);
    },
  },
  {
    name: 'namespace-controller',
    aliases: ['namespace'],
    serviceAccount: 'namespace-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createNamespaceLoop } = await import('../namespace/index.js');
      return createNamespaceLoop(context);
    },
  },
  {
    name: 'serviceaccount-controller',
    aliases: ['serviceaccount'],
    serviceAccount: 'service-account-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createServiceAccountLoop } = await import('../namespacedefaults/index.js');
      return createServiceAccountLoop(context);
    },
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    serviceAccount: 'root-ca-cert-publisher',
    enabledByDefault: true,
    create: async (context) => {
      const { createRootCertificateLoop } = await import('../namespacedefaults/index.js');
      return createRootCertificateLoop(context);
    },
  },
  {
    name: 'validatingadmissionpolicy-status-controller',
    aliases: ['validatingadmissionpolicy-status'],
    serviceAccount: 'validatingadmissionpolicy-status-controller',
    enabledByDefault: true,
    create: async (context) => {
      const { createPolicyStatusLoop } = await import('../validatingadmissionpolicystatus/index.js');
      return createPolicyStatusLoop(context);
    },
  },
  {
    name: 'garbage-collector-controller',
    aliases: ['garbagecollector'],
    serviceAccount: 'generic-garbage-collector',
    enabledByDefault: true,
    create: async (context) => {
      const { createGarbageCollector } = await import('../garbagecollector/index.js');
      return createGarbageCollector(context);
    },
  },
];
