import type { Clock } from '@binnacle/apimachinery/clock';
import type { CallCredentials, RemoteServiceConfig, ServiceCredentials, WebhookUsers } from '@binnacle/apiserver';
import type { ClientConfig, Cluster, Credentials } from '@binnacle/client/kubeconfig';

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

/**
 * Reads the users of a kubeconfig that names each after the webhooks that it is for. Throws an Error that says what is
 * wrong. Upstream: `NewDefaultAuthenticationInfoResolver` of apiserver `pkg/util/webhook`.
 */
export async function readWebhookUsers(path: string, clock: Clock): Promise<WebhookUsers> {
  const { clientConfigOf, loadKubeconfig } = await import('@binnacle/client/kubeconfig');
  const kubeconfig = await loadKubeconfig({ path });
  if (kubeconfig === undefined) throw new Error('the file does not exist');
  const { currentContext = '', contexts } = kubeconfig;
  // The address of a webhook is in its configuration.
  const cluster = { ...noCluster, server: 'https://webhooks' };
  const anywhere = { ...kubeconfig, currentContext: undefined, clusters: new Map([['', cluster]]) };
  const users = new Map<string, CallCredentials>();
  for (const user of kubeconfig.users.keys()) {
    const config = await clientConfigOf(anywhere, { cluster: '', user }, { clock });
    if (config.impersonate !== undefined)
      throw new Error(`user ${JSON.stringify(user)}: impersonation is not supported`);
    users.set(user, callCredentialsOf(config));
  }
  return { users, currentUser: contexts.get(currentContext)?.user };
}

const noCluster: Cluster = {
  server: undefined,
  tlsServerName: undefined,
  insecureSkipTlsVerify: false,
  certificateAuthority: undefined,
  certificateAuthorityData: undefined,
  proxyUrl: undefined,
  disableCompression: false,
  execConfig: undefined,
};

function remoteServiceOf(config: ClientConfig): RemoteServiceConfig {
  refuseUnsupported(config);
  return {
    url: config.server,
    certificateAuthority: config.certificateAuthority,
    serverName: config.tlsServerName,
    skipsVerification: config.insecureSkipTlsVerify,
    ...callCredentialsOf(config),
  };
}

function callCredentialsOf(config: ClientConfig): CallCredentials {
  const source = config.credentials;
  const made = new WeakMap<Credentials, ServiceCredentials>();
  const own = credentialsOf(config, {});
  const given = new WeakMap<ServiceCredentials, Credentials>();
  return {
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
