import { systemClock } from '../clock/index.js';
import type { ClientConfig } from './client-config.js';
import type { ConfigSources } from './client-config-of.js';
import { fileCredentials, readText } from './file-credentials.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { type Surroundings, systemSurroundings } from './surroundings.js';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Does this run in a pod? */
export function isInCluster(surroundings: Surroundings = systemSurroundings): boolean {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = surroundings.variables;
  return host !== undefined && host !== '' && port !== undefined && port !== '';
}

/**
 * The pod's own service account. Its token is read anew as the kubelet renews it. Throws a {@link KubeconfigError} outside of pods, and
 * in pods that are not given a token. Upstream: client-go `rest.InClusterConfig`.
 */
export async function inClusterConfig(sources: ConfigSources = {}): Promise<ClientConfig> {
  const { surroundings = systemSurroundings, clock = systemClock } = sources;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = surroundings.variables;
  if (!isInCluster(surroundings)) {
    throw new KubeconfigError('this is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  }
  const credentials = fileCredentials({ token: `${folder}/token` }, surroundings, clock);
  await credentials.current();
  const certificateAuthority = await readText(`${folder}/ca.crt`, 'certificate authority', surroundings);
  const namespace = await surroundings.readFile(`${folder}/namespace`).catch(() => '');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    certificateAuthority,
    credentials,
    namespace: namespace.trim() === '' ? 'default' : namespace.trim(),
  };
}
