import {
  anything,
  type ConfigurationKinds,
  double,
  duration,
  flag,
  int32,
  int64,
  kind,
  listOf,
  mapOf,
  nested,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';
import type { JsonValue } from '@binnacle/apimachinery/json';
import { EXTENSION_POINTS, type ExtensionPoint } from '../framework/index.js';

export const API_VERSION = 'kubescheduler.config.k8s.io/v1';

/** A plugin that a profile enables or disables. */
export interface NamedPlugin {
  readonly name?: string;
  readonly weight?: number;
}

export interface PluginSet {
  readonly enabled?: readonly NamedPlugin[];
  readonly disabled?: readonly NamedPlugin[];
}

export type PluginSets = Readonly<Partial<Record<ExtensionPoint | 'multiPoint', PluginSet>>>;

export interface ProfileOfFile {
  readonly schedulerName?: string;
  readonly percentageOfNodesToScore?: number;
  readonly plugins?: PluginSets;
  readonly pluginConfig?: readonly { readonly name?: string; readonly args?: JsonValue }[];
}

/** Data is base64. */
export interface ExtenderOfFile {
  readonly urlPrefix?: string;
  readonly filterVerb?: string;
  readonly preemptVerb?: string;
  readonly prioritizeVerb?: string;
  readonly weight?: number;
  readonly bindVerb?: string;
  readonly enableHTTPS?: boolean;
  readonly tlsConfig?: {
    readonly insecure?: boolean;
    readonly serverName?: string;
    readonly certFile?: string;
    readonly keyFile?: string;
    readonly caFile?: string;
    readonly certData?: string;
    readonly keyData?: string;
    readonly caData?: string;
  };
  /** Go's format. */
  readonly httpTimeout?: string;
  readonly nodeCacheCapable?: boolean;
  readonly managedResources?: readonly { readonly name?: string; readonly ignoredByScheduler?: boolean }[];
  readonly ignorable?: boolean;
}

/** A decoded KubeSchedulerConfiguration. */
export interface ConfigurationOfFile {
  readonly parallelism?: number;
  readonly leaderElection?: Readonly<Record<string, JsonValue>>;
  readonly clientConnection?: { readonly qps?: number; readonly burst?: number } & Readonly<Record<string, JsonValue>>;
  readonly percentageOfNodesToScore?: number;
  readonly podInitialBackoffSeconds?: number;
  readonly podMaxBackoffSeconds?: number;
  readonly profiles?: readonly ProfileOfFile[];
  readonly extenders?: readonly ExtenderOfFile[];
  readonly delayCacheUntilActive?: boolean;
  readonly enableProfiling?: boolean;
  readonly enableContentionProfiling?: boolean;
}

const pluginSet = struct('v1.PluginSet', {
  enabled: listOf(nested(struct('v1.Plugin', { name: text, weight: int32 }))),
  disabled: listOf(nested(struct('v1.Plugin', { name: text, weight: int32 }))),
});

const profile = struct('v1.KubeSchedulerProfile', {
  schedulerName: text,
  percentageOfNodesToScore: int32,
  plugins: nested(
    struct(
      'v1.Plugins',
      Object.fromEntries([...EXTENSION_POINTS, 'multiPoint'].map((point) => [point, nested(pluginSet)])),
    ),
  ),
  pluginConfig: listOf(nested(struct('v1.PluginConfig', { name: text, args: anything }))),
});

const leaderElection = struct('v1alpha1.LeaderElectionConfiguration', {
  leaderElect: flag,
  leaseDuration: duration,
  renewDeadline: duration,
  retryPeriod: duration,
  resourceLock: text,
  resourceName: text,
  resourceNamespace: text,
});

const clientConnection = struct('v1alpha1.ClientConnectionConfiguration', {
  kubeconfig: text,
  acceptContentTypes: text,
  contentType: text,
  qps: double,
  burst: int32,
});

const extender = struct('v1.Extender', {
  urlPrefix: text,
  filterVerb: text,
  preemptVerb: text,
  prioritizeVerb: text,
  weight: int64,
  bindVerb: text,
  enableHTTPS: flag,
  tlsConfig: nested(
    struct('v1.ExtenderTLSConfig', {
      insecure: flag,
      serverName: text,
      certFile: text,
      keyFile: text,
      caFile: text,
      certData: text,
      keyData: text,
      caData: text,
    }),
  ),
  httpTimeout: duration,
  nodeCacheCapable: flag,
  managedResources: listOf(nested(struct('v1.ExtenderManagedResource', { name: text, ignoredByScheduler: flag }))),
  ignorable: flag,
});

/** Upstream: `k8s.io/kube-scheduler/config/v1`. */
export const kinds: ConfigurationKinds = new Map([
  [
    `${API_VERSION}/KubeSchedulerConfiguration`,
    kind('v1.KubeSchedulerConfiguration', {
      parallelism: int32,
      leaderElection: nested(leaderElection),
      clientConnection: nested(clientConnection),
      enableProfiling: flag,
      enableContentionProfiling: flag,
      percentageOfNodesToScore: int32,
      podInitialBackoffSeconds: int64,
      podMaxBackoffSeconds: int64,
      profiles: listOf(nested(profile)),
      extenders: listOf(nested(extender)),
      delayCacheUntilActive: flag,
    }),
  ],
]);

const selectorRequirement = struct('v1.NodeSelectorRequirement', { key: text, operator: text, values: texts });
const selectorTerm = struct('v1.NodeSelectorTerm', {
  matchExpressions: listOf(nested(selectorRequirement)),
  matchFields: listOf(nested(selectorRequirement)),
});
const nodeAffinity = struct('v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: nested(
    struct('v1.NodeSelector', { nodeSelectorTerms: listOf(nested(selectorTerm)) }),
  ),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    nested(struct('v1.PreferredSchedulingTerm', { weight: int32, preference: nested(selectorTerm) })),
  ),
});
const labelSelector = struct('v1.LabelSelector', {
  matchLabels: mapOf(text),
  matchExpressions: listOf(nested(struct('v1.LabelSelectorRequirement', { key: text, operator: text, values: texts }))),
});
const spreadConstraint = struct('v1.TopologySpreadConstraint', {
  maxSkew: int32,
  topologyKey: text,
  whenUnsatisfiable: text,
  labelSelector: nested(labelSelector),
  minDomains: int32,
  nodeAffinityPolicy: text,
  nodeTaintsPolicy: text,
  matchLabelKeys: texts,
});
const resources = listOf(nested(struct('v1.ResourceSpec', { name: text, weight: int64 })));
const shape = listOf(nested(struct('v1.UtilizationShapePoint', { utilization: int32, score: int32 })));
const scoringStrategy = struct('v1.ScoringStrategy', {
  type: text,
  resources,
  requestedToCapacityRatio: nested(struct('v1.RequestedToCapacityRatioParam', { shape })),
});

/** The arguments of each plugin that has some. */
export const argsOfPlugins = new Map(
  Object.entries({
    DefaultPreemption: { minCandidateNodesPercentage: int32, minCandidateNodesAbsolute: int32 },
    DynamicResources: { filterTimeout: duration, bindingTimeout: duration },
    InterPodAffinity: { hardPodAffinityWeight: int32, ignorePreferredTermsOfExistingPods: flag },
    NodeAffinity: { addedAffinity: nested(nodeAffinity) },
    NodeResourcesBalancedAllocation: { resources },
    NodeResourcesFit: {
      ignoredResources: texts,
      ignoredResourceGroups: texts,
      scoringStrategy: nested(scoringStrategy),
    },
    PodTopologySpread: { defaultConstraints: listOf(nested(spreadConstraint)), defaultingType: text },
    VolumeBinding: { bindTimeoutSeconds: int64, shape },
  }).map(([name, fields]) => [name, kind(`v1.${name}Args`, fields)]),
);
