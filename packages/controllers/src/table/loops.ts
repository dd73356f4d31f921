import type { ControlLoop, LoopContext } from '../loop/index.js';

/** A control loop, as `--controllers` knows it. */
export interface LoopFacts {
  readonly name: string;
  /** Names that it had before, which are taken as well. */
  readonly aliases: readonly string[];
  /** In `kube-system`: as whom it acts. */
  readonly serviceAccount: string;
  readonly enabledByDefault: boolean;
  /** Loads and makes it. */
  readonly create: (context: LoopContext) => Promise<ControlLoop>;
}

/** All that there are. Upstream: kubernetes `cmd/kube-controller-manager/names` and `app`. */
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
      const { createServiceAccountLoop } = await import('../everynamespace/index.js');
      return createServiceAccountLoop(context);
    },
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    serviceAccount: 'root-ca-cert-publisher',
    enabledByDefault: true,
    create: async (context) => {
      const { createRootCertificateLoop } = await import('../everynamespace/index.js');
      return createRootCertificateLoop(context);
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
