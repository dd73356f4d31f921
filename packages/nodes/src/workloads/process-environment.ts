import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { type EnvironmentParts, environmentOf } from '../pods/index.js';
import { below, localPaths, TOKEN_MOUNT } from './mounts.js';

/** The only variables of this process that programs get. */
const PASSED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TZ'];

export interface ProcessEnvironmentParts extends Omit<EnvironmentParts, 'base'> {
  /** The folder that serves as the root of the container. */
  readonly root: string;
  /** Undefined: the container has no token. */
  readonly kubeconfig: string | undefined;
  /** Where the processes of the pod listen. */
  readonly address: string;
  /** Of this process. */
  readonly own: NodeJS.ProcessEnv;
}

/** The variables of a program. Paths of mounts in values are those of this machine, and the pod's address is the loopback one. */
export function processEnvironment(
  pod: Pod,
  container: Container,
  { root, kubeconfig, address, own, ...parts }: ProcessEnvironmentParts,
): ReadonlyMap<string, string> {
  const base = new Map<string, string>();
  for (const name of PASSED) {
    const value = own[name];
    if (value !== undefined) base.set(name, value);
  }
  base.set('HOSTNAME', pod.spec?.hostname ?? pod.metadata.name ?? '');
  base.set('TMPDIR', below(root, 'tmp'));
  base.set('BINNACLE_ROOT', root);
  if (kubeconfig !== undefined) {
    base.set('KUBECONFIG', kubeconfig);
    base.set('BINNACLE_SERVICE_ACCOUNT', below(root, TOKEN_MOUNT));
  }
  const listening: Pod = { ...pod, status: { ...pod.status, podIP: address, podIPs: [{ ip: address }] } };
  const variables = environmentOf(listening, container, { ...parts, base });
  const local = localPaths(container, root);
  return new Map(Array.from(variables, ([name, value]) => [name, base.get(name) === value ? value : local(value)]));
}
