/** The arguments of `binnacle scheduler`. */
export interface SchedulerRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  readonly leaderElect: boolean;
  /** File with a KubeSchedulerConfiguration. */
  readonly config?: string;
}

export const schedulerDescription =
  'run only the scheduler, against the server of a kubeconfig, until SIGTERM or SIGINT';
export const schedulerKubeconfigDescription =
  "server and user of the scheduler (default: KUBECONFIG, ~/.kube/config, or the pod's service account)";
export const schedulerLeaderElectDescription =
  'run only while holding the Lease kube-system/kube-scheduler (default: true)';
export const schedulerConfigDescription =
  'file with a KubeSchedulerConfiguration v1 (default: one profile with the default plugins)';
