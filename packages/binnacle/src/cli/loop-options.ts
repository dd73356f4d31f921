/** Options of control loops that `binnacle serve` and `binnacle controller-manager` have. The names are kube-controller-manager's. */
export const loopOptions = [
  {
    name: 'node-monitor-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'nodeMonitorPeriodMs',
    default: '5s',
    description: 'how often the node lifecycle controller looks for heartbeats of nodes',
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
    name: 'kube-api-qps',
    type: 'rate',
    placeholder: 'NUMBER',
    key: 'kubeApiQps',
    default: '50',
    description:
      'writes a second that each control loop makes in the long run; those that delete what has no owner or namespace any more make four times as many',
  },
  {
    name: 'kube-api-burst',
    type: 'rate',
    placeholder: 'NUMBER',
    key: 'kubeApiBurst',
    default: '2000',
    description: 'writes that each control loop makes without delay after a pause',
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
