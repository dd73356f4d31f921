/** The arguments of `binnacle nodes`. */
export interface NodesRequest {
  /** From 1 to 5000. */
  readonly count: number;
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** An address of this machine, which the API server reaches. Default: `127.0.0.1`. */
  readonly kubeletAddress?: string;
  /** Whether `metrics.k8s.io` is served, unless another server does. */
  readonly metrics: boolean;
}

export const nodesDescription =
  'run simulated nodes, whose pods run without containers, against the server of a kubeconfig, until SIGTERM or SIGINT';
export const nodesCountDescription =
  'the number of nodes, which are named node-0 and so on, from 1 to 5000 (default: 1)';
export const nodesKubeconfigDescription =
  "server and administrator for all nodes (default: KUBECONFIG, ~/.kube/config, or the pod's service account)";
export const nodesKubeletAddressDescription =
  'an IP address of this machine at which the API server reaches it: all nodes have this address, and their kubelets listen there (default: kubelets listen on 127.0.0.1, and each node has an address of its own that no client can reach)';
export const nodesMetricsDescription =
  'serve the usage of simulated pods and nodes as metrics.k8s.io, unless another server does (default: true)';
