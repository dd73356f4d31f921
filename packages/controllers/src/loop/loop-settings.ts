import type { JsonObject } from '@binnacle/apimachinery/json';
import type { CertificatePair } from '@binnacle/client/certificates';

/** The flags of kube-controller-manager that loops know. A missing one has upstream's default, unless it says so. Durations are milliseconds. */
export interface LoopSettings {
  /** `--node-monitor-period`: how often nodes are checked for heartbeats. */
  readonly nodeMonitorPeriodMs?: number | undefined;
  /** `--node-monitor-grace-period`: how long a node may be silent before its conditions become Unknown. */
  readonly nodeMonitorGracePeriodMs?: number | undefined;
  /** `--node-startup-grace-period`: the same for a node that has never reported. */
  readonly nodeStartupGracePeriodMs?: number | undefined;
  /** `--kube-api-qps`: writes a second of each loop in the long run. Upstream counts reads too, and its default is 20. Default: 50. */
  readonly kubeApiQps?: number | undefined;
  /** `--kube-api-burst`: writes of each loop without delay after a pause. Upstream's default is 30. Default: 2000. */
  readonly kubeApiBurst?: number | undefined;
  /** `--enable-hostpath-provisioner`: simulate the volumes of classes with the provisioner `kubernetes.io/host-path`. */
  readonly enableHostPathProvisioner?: boolean | undefined;
  /** `--node-eviction-rate`: nodes of a zone that get a NoExecute taint, a second. */
  readonly nodeEvictionRate?: number | undefined;
  /** `--secondary-node-eviction-rate`: the same for a large zone with many unhealthy nodes. */
  readonly secondaryNodeEvictionRate?: number | undefined;
  /** `--large-cluster-size-threshold`: zones of up to this many nodes stop evictions when many nodes are unhealthy. */
  readonly largeClusterSizeThreshold?: number | undefined;
  /** `--unhealthy-zone-threshold`: the share of unhealthy nodes that slows evictions down. */
  readonly unhealthyZoneThreshold?: number | undefined;
  /** `--horizontal-pod-autoscaler-sync-period`: how often each autoscaler looks at its metrics. */
  readonly horizontalPodAutoscalerSyncPeriodMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-downscale-stabilization`: how long a target does not shrink below a recommendation. */
  readonly horizontalPodAutoscalerDownscaleStabilizationMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-tolerance`: the share by which the usage may differ from its target. */
  readonly horizontalPodAutoscalerTolerance?: number | undefined;
  /** `--horizontal-pod-autoscaler-cpu-initialization-period`: the time after its start in which the CPU of an unready pod does not count. */
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs?: number | undefined;
  /** `--horizontal-pod-autoscaler-initial-readiness-delay`: the time after its start in which a pod may become ready for the first time. */
  readonly horizontalPodAutoscalerInitialReadinessDelayMs?: number | undefined;
  /** `--terminated-pod-gc-threshold`: how many pods that have ended are kept. 0 keeps all. */
  readonly terminatedPodGcThreshold?: number | undefined;
  /** `--allocate-node-cidrs`: give nodes ranges of addresses for pods, out of {@link clusterCidr}. */
  readonly allocateNodeCidrs?: boolean | undefined;
  /** `--cluster-cidr`: one range, or one of each family, separated by a comma. */
  readonly clusterCidr?: string | undefined;
  /** `--node-cidr-mask-size`: the length of the prefix of each node, for a single range. 0 is the default. */
  readonly nodeCidrMaskSize?: number | undefined;
  /** `--node-cidr-mask-size-ipv4`: the same for the IPv4 range. */
  readonly nodeCidrMaskSizeIPv4?: number | undefined;
  /** `--node-cidr-mask-size-ipv6`: the same for the IPv6 range. */
  readonly nodeCidrMaskSizeIPv6?: number | undefined;
  /** `--service-cluster-ip-range`: nodes get none of it. */
  readonly serviceClusterIPRange?: string | undefined;
  /** `--cluster-signing-cert-file` and `--cluster-signing-key-file`. Without them, no one signs certificate requests. */
  readonly clusterSigning?: CertificatePair | undefined;
  /** `--cluster-signing-duration`: how long signed certificates are valid at most. */
  readonly clusterSigningDurationMs?: number | undefined;
  /** `--legacy-service-account-token-clean-up-period`: how long a generated token must be unused until it becomes invalid. */
  readonly legacyTokenCleanUpPeriodMs?: number | undefined;
  /**
   * Whether this node would have sent a heartbeat, for simulations whose nodes elide theirs. Nodes count as alive while this holds. Default:
   * only heartbeats count.
   */
  readonly hasHeartbeat?: ((node: string) => boolean) | undefined;
  /** Signs the claims of a token, by `--service-account-private-key-file`. Without it, Secrets get no tokens. */
  readonly signToken?: ((claims: JsonObject) => Promise<string>) | undefined;
}
