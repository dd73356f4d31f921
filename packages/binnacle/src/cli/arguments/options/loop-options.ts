/** `binnacle serve` and `binnacle controller-manager` have it. */
export const loadBalancerIPRangeDescription =
  'addresses of simulated load balancers for services of type LoadBalancer; several ranges are separated by commas';

/** Options of control loops that `binnacle serve` and `binnacle controller-manager` have. The names are kube-controller-manager's. */
export const loopOptions = [
  {
    name: 'node-monitor-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'nodeMonitorPeriodMs',
    default: '5s',
    description: 'how often the node lifecycle controller checks the heartbeats of nodes',
  },
  {
    name: 'node-monitor-grace-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'nodeMonitorGracePeriodMs',
    default: '50s',
    description: 'how long a node may send no heartbeat before its conditions become Unknown and its pods are evicted',
  },
  {
    name: 'node-startup-grace-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'nodeStartupGracePeriodMs',
    default: '1m',
    description: 'the same for a node that has never reported its status',
  },
  {
    name: 'node-eviction-rate',
    type: 'decimal',
    placeholder: 'NUMBER',
    key: 'nodeEvictionRate',
    default: '0.1',
    description: 'failed nodes per second in each zone whose pods are evicted; 0 evicts none',
  },
  {
    name: 'secondary-node-eviction-rate',
    type: 'decimal',
    placeholder: 'NUMBER',
    key: 'secondaryNodeEvictionRate',
    default: '0.01',
    description: 'the same for a large zone where many nodes have failed',
  },
  {
    name: 'unhealthy-zone-threshold',
    type: 'share',
    placeholder: 'NUMBER',
    key: 'unhealthyZoneThreshold',
    default: '0.55',
    description:
      'share of the nodes of a zone, at least 3, that must have failed for --secondary-node-eviction-rate to apply',
  },
  {
    name: 'large-cluster-size-threshold',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'largeClusterSizeThreshold',
    default: '50',
    description: 'zones of up to this many nodes evict no pods while many of their nodes have failed',
  },
  {
    name: 'kube-api-qps',
    type: 'rate',
    placeholder: 'NUMBER',
    key: 'kubeApiQps',
    default: '50',
    description:
      'average number of writes per second of each control loop; garbage collection, namespace deletion and storage version migration may make four times as many',
  },
  {
    name: 'kube-api-burst',
    type: 'rate',
    placeholder: 'NUMBER',
    key: 'kubeApiBurst',
    default: '2000',
    description: 'number of writes that each control loop may make at once after a pause',
  },
  {
    name: 'horizontal-pod-autoscaler-sync-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'horizontalPodAutoscalerSyncPeriodMs',
    default: '15s',
    description: 'how often each HorizontalPodAutoscaler looks at its metrics',
  },
  {
    name: 'horizontal-pod-autoscaler-downscale-stabilization',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'horizontalPodAutoscalerDownscaleStabilizationMs',
    default: '5m',
    description:
      'how long a HorizontalPodAutoscaler remembers its recommendations; it does not scale below the highest of them',
  },
  {
    name: 'horizontal-pod-autoscaler-tolerance',
    type: 'decimal',
    placeholder: 'NUMBER',
    key: 'horizontalPodAutoscalerTolerance',
    default: '0.1',
    description: 'share by which usage may differ from its target before the number of pods changes',
  },
  {
    name: 'horizontal-pod-autoscaler-cpu-initialization-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'horizontalPodAutoscalerCpuInitializationPeriodMs',
    default: '5m',
    description: 'time after the start of a pod in which its CPU usage may be ignored',
  },
  {
    name: 'horizontal-pod-autoscaler-initial-readiness-delay',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'horizontalPodAutoscalerInitialReadinessDelayMs',
    default: '30s',
    description: 'time after the start of a pod in which it counts as becoming ready for the first time',
  },
  {
    name: 'terminated-pod-gc-threshold',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'terminatedPodGcThreshold',
    default: '12500',
    description: 'number of ended pods to keep; the oldest beyond that are deleted; 0 keeps all',
  },
  {
    name: 'enable-hostpath-provisioner',
    type: 'switch',
    key: 'enableHostPathProvisioner',
    default: 'false',
    description:
      'simulate the volumes of storage classes with the provisioner kubernetes.io/host-path; no directory is made or deleted',
  },
  {
    name: 'allocate-node-cidrs',
    type: 'switch',
    key: 'allocateNodeCidrs',
    default: 'false',
    description: 'give each node a range of addresses for its pods, out of --cluster-cidr',
  },
  {
    name: 'cluster-cidr',
    type: 'text',
    placeholder: 'CIDR',
    key: 'clusterCidr',
    description:
      'range of the addresses of pods, for --allocate-node-cidrs; for dual stack, one IPv4 and one IPv6 range, separated by a comma',
  },
  {
    name: 'node-cidr-mask-size',
    type: 'count',
    placeholder: 'BITS',
    key: 'nodeCidrMaskSize',
    default: '24 for IPv4, 64 for IPv6',
    description: 'length of the prefix that each node gets out of a single --cluster-cidr',
  },
  {
    name: 'node-cidr-mask-size-ipv4',
    type: 'count',
    placeholder: 'BITS',
    key: 'nodeCidrMaskSizeIPv4',
    default: '24',
    description: 'the same for the IPv4 range',
  },
  {
    name: 'node-cidr-mask-size-ipv6',
    type: 'count',
    placeholder: 'BITS',
    key: 'nodeCidrMaskSizeIPv6',
    default: '64',
    description: 'the same for the IPv6 range',
  },
  {
    name: 'cluster-signing-cert-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'clusterSigningCertFile',
    description:
      'PEM file of the authority that signs certificate requests; binnacle serve has one of its own, binnacle controller-manager signs none without it',
  },
  {
    name: 'cluster-signing-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'clusterSigningKeyFile',
    description: 'PEM file of the private key for --cluster-signing-cert-file',
  },
  {
    name: 'cluster-signing-duration',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'clusterSigningDurationMs',
    default: '8760h',
    description: 'how long signed certificates are valid; a request may ask for less',
  },
  {
    name: 'legacy-service-account-token-clean-up-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'legacyTokenCleanUpPeriodMs',
    default: '8760h',
    description: 'how long a generated token of a service account must be unused until it becomes invalid',
  },
] as const;

/** The values of {@link loopOptions}, by key. */
export type LoopValues = {
  readonly [O in (typeof loopOptions)[number] as O['key']]?:
    | (O['type'] extends 'switch' ? boolean : O['type'] extends 'text' ? string : number)
    | undefined;
};
