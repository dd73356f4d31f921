import type { JsonObject } from '@binnacle/apimachinery/json';
import { type Clock, systemClock } from '@binnacle/apimachinery/clock';
import type { ClientConfig, CredentialSource } from './client-config.js';
import type { Cluster, Kubeconfig, User } from './document.js';
import { execCredentials } from './exec-plugin.js';
import { fileCredentials, readText } from './file-credentials.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { proxyFromEnvironment } from './proxy.js';
import { type Selection, selectContext } from './select.js';
import { type Environment, systemEnvironment } from './environment.js';

export interface ConfigSources {
  readonly environment?: Environment;
  readonly clock?: Clock;
}

/** The client configuration for a context of a kubeconfig. Throws a {@link KubeconfigError}. */
export async function clientConfigOf(
  kubeconfig: Kubeconfig,
  selection: Selection = {},
  sources: ConfigSources = {},
): Promise<ClientConfig> {
  const { environment = systemEnvironment, clock = systemClock } = sources;
  const { cluster, user, namespace, names } = selectContext(kubeconfig, selection);
  const fault = (problem: string) => new KubeconfigError(`${kubeconfig.origins.join(', ')}: ${problem}`);
  const server = cluster.server ?? '';
  if (server === '') throw fault(`cluster "${names.cluster}" has no server`);
  if (!isHttpUrl(server)) throw fault(`cluster "${names.cluster}": the server "${server}" is not an http or https URL`);
  const problem = faultOfUser(user);
  if (problem !== undefined) throw fault(`user "${names.user}" ${problem}`);
  const certificateAuthority = await authorityOf(cluster, environment);
  const credentials = credentialsOf(user, clusterInfo(cluster, certificateAuthority), environment, clock);
  // Report missing files now rather than at the first request. A plugin may prompt the user, so it runs only when needed.
  if (user.exec === undefined) await credentials?.current();
  return {
    server,
    certificateAuthority,
    tlsServerName: cluster.tlsServerName,
    insecureSkipTlsVerify: cluster.insecureSkipTlsVerify,
    proxyUrl: cluster.proxyUrl ?? proxyFromEnvironment(server, environment.variables),
    disableCompression: cluster.disableCompression,
    clientCertificate: user.clientCertificateData,
    clientKey: user.clientKeyData,
    token: user.token,
    username: user.username,
    password: user.password,
    credentials,
    impersonate: user.impersonate,
    namespace,
  };
}

function faultOfUser(user: User): string | undefined {
  if (user.authProvider !== undefined) {
    return `wants the auth provider "${user.authProvider}"; auth providers are no longer supported, use an exec plugin`;
  }
  const hasCertificate = user.clientCertificate !== undefined || user.clientCertificateData !== undefined;
  const hasKey = user.clientKey !== undefined || user.clientKeyData !== undefined;
  if (hasCertificate && !hasKey) return 'has a client certificate, but no client-key and no client-key-data';
  if (hasKey && !hasCertificate) return 'has a client key, but no client-certificate and no client-certificate-data';
  if (user.token !== undefined && user.username !== undefined)
    return 'has both a token and a username; only one can be used';
  return undefined;
}

async function authorityOf(cluster: Cluster, environment: Environment): Promise<string | undefined> {
  if (cluster.certificateAuthorityData !== undefined || cluster.certificateAuthority === undefined) {
    return cluster.certificateAuthorityData;
  }
  return readText(cluster.certificateAuthority, 'certificate authority', environment);
}

/** Undefined if the credentials never change. */
function credentialsOf(
  user: User,
  cluster: JsonObject,
  environment: Environment,
  clock: Clock,
): CredentialSource | undefined {
  if (user.exec !== undefined) return execCredentials(user.exec, cluster, environment, clock);
  const files = {
    token: user.tokenFile,
    clientCertificate: user.clientCertificateData === undefined ? user.clientCertificate : undefined,
    clientKey: user.clientKeyData === undefined ? user.clientKey : undefined,
  };
  const some = Object.values(files).some((path) => path !== undefined);
  return some ? fileCredentials(files, environment, clock) : undefined;
}

/** Upstream: `clientauthentication.Cluster`. */
function clusterInfo(cluster: Cluster, authority: string | undefined): JsonObject {
  return {
    server: cluster.server,
    ...(cluster.tlsServerName === undefined ? {} : { 'tls-server-name': cluster.tlsServerName }),
    ...(cluster.insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
    ...(authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
    ...(cluster.proxyUrl === undefined ? {} : { 'proxy-url': cluster.proxyUrl }),
    ...(cluster.disableCompression ? { 'disable-compression': true } : {}),
    ...(cluster.execConfig === undefined ? {} : { config: cluster.execConfig }),
  };
}

function isHttpUrl(text: string): boolean {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  return protocol === 'https:' || protocol === 'http:';
}
