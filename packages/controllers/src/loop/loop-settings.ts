import type { JsonObject } from '@binnacle/apimachinery/json';
import type { CertificatePair } from '@binnacle/client/certificates';

/** The flags of kube-controller-manager that loops obey. An absent one has upstream's default, unless its comment names another. Durations are in milliseconds. */
export interface LoopSettings {
  /** `--node-monitor-period`: how often nodes are checked for heartbeats. */
  readonly nodeMonitorPeriodMs?: number | undefined;
  /** `--node-monitor-grace-period`: how long a node may be silent before its conditions become Unknown. */
  readonly nodeMonitorGracePeriodMs?: number | undefined;
  /** `--node-startup-grace-period`: the same for a node that has never reported. */
  readonly nodeStartupGracePeriodMs?: number | undefined;
  /** `--kube-api-qps`: sustained writes per second of each loop. Default: 50. Upstream counts reads too, and its default is 20. */
  readonly kubeApiQps?: number | undefined;
  /** `--kube-api-burst`: writes that each loop may send in a burst. Default: 2000. Upstream's is 30. */
  readonly kubeApiBurst?: number | undefined;
  /** `--enable-hostpath-provisioner`: simulate the volumes of classes with the provisioner `kubernetes.io/host-path`. */
  readonly enableHostPathProvisioner?: boolean | undefined;
  /** `--node-eviction-rate`: nodes per second in each zone that get a NoExecute taint. */
  readonly nodeEvictionRate?: number | undefined;
  /** `--secondary-node-eviction-rate`: the same for a large zone with many unhealthy nodes. */
  readonly secondaryNodeEvictionRate?: number | undefined;
  /** `--large-cluster-size-threshold`: zones of up to this many nodes stop evictions when many nodes are unhealthy. */
  readonly largeClusterSizeThreshold?: number | undefined;
  /** `--unhealthy-zone-threshold`: the share of unhealthy nodes that slows evictions down. */
  readonly unhealthyZoneThreshold?: number | undefined;
  /** `--horizontal-pod-autoscaler-sync-period`: how often each autoscaler looks at its metrics. */
  readonly horizontalPodAutoscalerSyncPeriodMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-downscale-stabilization`: how long a recommendation keeps the target from shrinking below it. */
  readonly horizontalPodAutoscalerDownscaleStabilizationMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-tolerance`: the share by which the usage may differ from its target before the target is scaled. */
  readonly horizontalPodAutoscalerTolerance?: number | undefined;
  /** `--horizontal-pod-autoscaler-cpu-initialization-period`: how long after the start of a pod its CPU does not count while it is unready. */
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-initial-readiness-delay`: how long after the start of a pod its changes of readiness count as its first. */
  readonly horizontalPodAutoscalerInitialReadinessDelayMs?: number | undefined;
  /** `--terminated-pod-gc-threshold`: how many terminated pods are kept. 0 keeps all. */
  readonly terminatedPodGcThreshold?: number | undefined;
  /** `--allocate-node-cidrs`: give nodes ranges of addresses for pods, from {@link clusterCidr}. */
  readonly allocateNodeCidrs?: boolean | undefined;
  /** `--cluster-cidr`: one range, or one of each family, separated by a comma. */
  readonly clusterCidr?: string | undefined;
  /** `--node-cidr-mask-size`: the prefix length of the range of each node, if there is a single range. 0 means the default. */
  readonly nodeCidrMaskSize?: number | undefined;
  /** `--node-cidr-mask-size-ipv4`: the same for the IPv4 range. */
  readonly nodeCidrMaskSizeIPv4?: number | undefined;
  /** `--node-cidr-mask-size-ipv6`: the same for the IPv6 range. */
  readonly nodeCidrMaskSizeIPv6?: number | undefined;
  /** `--service-cluster-ip-range`: the addresses of services, which no range of a node contains. */
  readonly serviceClusterIPRange?: string | undefined;
  /** `--cluster-signing-cert-file` and `--cluster-signing-key-file`. Without them, no one signs certificate requests. */
  readonly clusterSigning?: CertificatePair | undefined;
  /** `--cluster-signing-duration`: the maximum validity of signed certificates. */
  readonly clusterSigningDurationMs?: number | undefined;
  /** `--legacy-service-account-token-clean-up-period`: how long a generated token must be unused until it becomes invalid. */
  readonly legacyTokenCleanUpPeriodMs?: number | undefined;
  /**
   * For simulations whose nodes send no heartbeats: whether a node would have sent one. It counts as alive while this returns true. Default:
   * only heartbeats count.
   */
  readonly hasHeartbeat?: ((node: string) => boolean) | undefined;
  /** Signs the claims of a token, by `--service-account-private-key-file`. Without it, Secrets get no tokens. */
  readonly signToken?: ((claims: JsonObject) => Promise<string>) | undefined;
}
