/** The arguments of `binnacle resolve`. */
export interface ResolveRequest {
  readonly service: string;
  /** A port of the service, by name or number. Undefined: all. */
  readonly port?: string;
  /** Default: the namespace of the kubeconfig's context. */
  readonly namespace?: string;
  /** Default: found like kubectl's. */
  readonly kubeconfig?: string;
  /** Default: a line for each endpoint. */
  readonly output?: 'json';
}

export const resolveDescription = 'print the ready endpoints of a service, one ADDRESS:PORT a line';
export const resolveTargetDescription = 'svc/NAME or svc/NAME:PORT, with a port of the service by name or number';
export const resolveNamespaceDescription =
  "the namespace of the service (default: that of the kubeconfig's current context)";
export const resolveKubeconfigDescription =
  "server and user (default: KUBECONFIG, ~/.kube/config, or the pod's service account)";

export const resolveOutputDescription = 'json prints a list of strings instead of lines';

/** Undefined if the text is not a target. */
export function parseTarget(text: string): Pick<ResolveRequest, 'service' | 'port'> | undefined {
  const [, service, port] = /^(?:svc|service|services)\/([a-z0-9]+(?:-[a-z0-9]+)*)(?::([a-z0-9-]+))?$/.exec(text) ?? [];
  if (service === undefined) return undefined;
  return { service, ...(port === undefined ? {} : { port }) };
}
