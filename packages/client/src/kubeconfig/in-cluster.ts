import { systemClock } from '@binnacle/apimachinery/clock';
import type { ClientConfig } from './client-config.js';
import type { ConfigSources } from './client-config-of.js';
import { fileCredentials, readText } from './file-credentials.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { type Environment, systemEnvironment } from './environment.js';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether this process runs in a pod. */
export function isInCluster(environment: Environment = systemEnvironment): boolean {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment.variables;
  return host !== undefined && host !== '' && port !== undefined && port !== '';
}

/**
 * The configuration for the pod's service account. Its token is re-read as the kubelet renews it. Throws a {@link KubeconfigError} outside of pods
 * and in pods without a token. Upstream: client-go `rest.InClusterConfig`.
 */
export async function inClusterConfig(sources: ConfigSources = {}): Promise<ClientConfig> {
  const { environment = systemEnvironment, clock = systemClock } = sources;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = environment.variables;
  if (!isInCluster(environment)) {
    throw new KubeconfigError('not running in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  }
  const credentials = fileCredentials({ token: `${folder}/token` }, environment, clock);
  await credentials.current();
  const certificateAuthority = await readText(`${folder}/ca.crt`, 'certificate authority', environment);
  const namespace = await environment.readFile(`${folder}/namespace`).catch(() => '');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    certificateAuthority,
    credentials,
    namespace: namespace.trim() === '' ? 'default' : namespace.trim(),
  };
}
