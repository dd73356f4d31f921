import type { LoopValues } from './loop-options.js';

/** Where to listen. Port 0 is any free one. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** The arguments of `binnacle controller-manager`. */
export interface ControllerManagerRequest {
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  readonly controllers: string;
  readonly leaderElect: boolean;
  readonly useServiceAccountCredentials?: boolean;
  readonly rootCaFile?: string;
  readonly serviceAccountPrivateKeyFile?: string;
  readonly loadBalancerIPRange?: string;
  readonly healthAddress?: HostAndPort;
  readonly settings?: LoopValues;
}

export const controllerManagerDescription =
  'run only the control loops, against the server of a kubeconfig, until SIGTERM or SIGINT';
export const kubeconfigDescription =
  "server and user of the control loops (default: KUBECONFIG, ~/.kube/config, or the pod's service account)";
export const controllersDescription =
  'control loops to run, separated by commas: * for all, a name to add one, -name to leave one out (default: *)';
export const leaderElectDescription =
  'run only while holding the Lease kube-system/kube-controller-manager (default: true)';
export const accountCredentialsDescription =
  "let each control loop act as its own service account in kube-system, with upstream's rights (default: false)";
export const rootCaFileDescription =
  "PEM file of the authority that clients in the cluster trust (default: the kubeconfig's)";
export const serviceAccountKeyDescription =
  'PEM file of the private key that signs the tokens in Secrets of service accounts; without it, they get none';
export const loadBalancerIPRangeDescription =
  'addresses of simulated load balancers for services of type LoadBalancer; several ranges are separated by commas';
export const healthAddressDescription =
  'address for /healthz and /metrics over plain HTTP, such as 127.0.0.1:10257 (default: none)';
