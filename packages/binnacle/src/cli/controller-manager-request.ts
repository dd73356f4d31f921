/** What `binnacle controller-manager` is to do. */
export interface ControllerManagerRequest {
  /** Default: as kubectl finds it. */
  readonly kubeconfig?: string;
  readonly controllers: string;
  readonly leaderElect: boolean;
  readonly rootCaFile?: string;
}

export const controllerManagerDescription =
  'run control loops alone, against the server of a kubeconfig, until SIGTERM or SIGINT';
export const kubeconfigDescription =
  "which server to work for, and as whom (default: KUBECONFIG, ~/.kube/config, or the pod's own account)";
export const controllersDescription =
  'control loops to run: names, -name for none of it, * for all; separated by commas (default: *)';
export const leaderElectDescription =
  'work only while no other holds the Lease kube-system/kube-controller-manager (default: true)';
export const rootCaFileDescription =
  "PEM of what clients in the cluster check the server's certificate against (default: the kubeconfig's)";
