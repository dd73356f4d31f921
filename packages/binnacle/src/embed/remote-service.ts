import type { Clock } from '@binnacle/apimachinery/clock';
import type { RemoteServiceConfig, ServiceCredentials } from '@binnacle/apiserver';
import type { ClientConfig, Credentials } from '@binnacle/client/kubeconfig';

/**
 * Reads the kubeconfig of a service that the server calls: the cluster is the service, the user this server. Throws an
 * Error that says what is wrong. Upstream: `LoadKubeconfig` of apiserver `pkg/util/webhook`.
 */
export async function readRemoteService(path: string, clock: Clock): Promise<RemoteServiceConfig> {
  const { clientConfigOf, loadKubeconfig } = await import('@binnacle/client/kubeconfig');
  const kubeconfig = await loadKubeconfig({ path });
  if (kubeconfig === undefined) throw new Error('the file does not exist');
  return remoteServiceOf(await clientConfigOf(kubeconfig, {}, { clock }));
}

function remoteServiceOf(config: ClientConfig): RemoteServiceConfig {
  refuseUnsupported(config);
  const source = config.credentials;
  const made = new WeakMap<Credentials, ServiceCredentials>();
  const own = credentialsOf(config, {});
  const given = new WeakMap<ServiceCredentials, Credentials>();
  return {
    url: config.server,
    certificateAuthority: config.certificateAuthority,
    serverName: config.tlsServerName,
    skipsVerification: config.insecureSkipTlsVerify,
    credentials: async (signal) => {
      if (source === undefined) return own;
      const current = await source.current(signal);
      const known = made.get(current) ?? credentialsOf(config, current);
      made.set(current, known);
      given.set(known, current);
      return known;
    },
    rejected: (credentials) => {
      const current = given.get(credentials);
      if (current !== undefined) source?.rejected(current);
    },
  };
}

/** `changing` takes precedence over `config`. */
function credentialsOf(config: ClientConfig, changing: Credentials): ServiceCredentials {
  const { token = config.token, clientCertificate = config.clientCertificate } = changing;
  return {
    authorization: authorizationOf(token, config),
    clientCertificate,
    clientKey: changing.clientKey ?? config.clientKey,
  };
}

function authorizationOf(token: string | undefined, { username, password }: ClientConfig): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
}

function refuseUnsupported({ server, proxyUrl, impersonate }: ClientConfig): void {
  if (!server.startsWith('https://')) throw new Error(`the server ${JSON.stringify(server)} must use https`);
  if (proxyUrl !== undefined) throw new Error('a proxy-url is not supported');
  if (impersonate !== undefined) throw new Error('impersonation is not supported');
}
