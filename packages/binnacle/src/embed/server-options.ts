import { localPodAddress } from '@binnacle/nodes/node/limits';
import type { UserInfo } from '@binnacle/apiserver/authentication';
import type { Faults } from '@binnacle/apiserver/faults';
import type { AuthenticationOptions, ServerOptions, ServiceAccountOptions } from '@binnacle/apiserver';
import type { KV } from '@binnacle/kv';
import type { Log } from '@binnacle/apimachinery/logging';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AccessRules } from './access-rules.js';
import type { StartConfig } from './options/config.js';
import { type ServerCredentials, servingCertificates } from './credentials.js';
import type { CertificateFiles, InputFiles } from './input-files.js';
import type { Sources } from './parts.js';
import { frontProxyName, kubeletClientName } from '../certificates/index.js';
import { cipherList } from './options/cipher-suites.js';
import { separated } from './options/separated.js';
import { valueRetentionsOf } from './options/value-retentions.js';

/** The user of the client configuration's token. Its certificate names the same user. */
const administrator: UserInfo = { name: 'kubernetes-admin', uid: '', groups: ['system:masters'], extra: {} };

const administratorBy = (token: string) => ({ token, user: administrator });

/** The headers that every extension API server of upstream understands. */
const standardHeaders = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

/** Upstream: kubernetes `pkg/kubeapiserver/options` WithWebHook. */
const TOKEN_WEBHOOK_CACHE_MS = 2 * 60_000;

export interface ServerParts {
  readonly kv: KV;
  readonly isFork: boolean;
  readonly startFork: ServerOptions['startFork'];
  readonly files: InputFiles;
  readonly access: AccessRules;
  readonly credentials: ServerCredentials;
  readonly faults: Faults | undefined;
  readonly sources: Sources;
  readonly metrics: MetricRegistry;
  readonly log: Log;
  readonly encryption: ServerOptions['encryption'];
  readonly audit: ServerOptions['audit'];
  readonly healthChecks: ServerOptions['healthChecks'];
}

/** The API server's options. It has the defaults of those that are undefined. */
export function serverOptionsOf(config: StartConfig, parts: ServerParts): ServerOptions {
  const { kv, files, credentials, faults } = parts;
  const { clock, random } = parts.sources;
  const { certificates, keys, token, parents = [] } = credentials;
  const { eventTtlMs } = config;
  return {
    bindAddress: config.bindAddress,
    securePort: config.securePort,
    advertiseAddress: config.advertiseAddress,
    endpointReconciler: config.endpointReconcilerType === 'none' ? 'none' : 'lease',
    tls: tlsOptionsOf(config, files, credentials),
    tokens: [...files.tokens, ...[token, ...parents.map((parent) => parent.token)].map(administratorBy)],
    ...frontProxyOptionsOf(config, files, certificates),
    serviceAccounts: serviceAccountOptionsOf(config, keys),
    authentication: authenticationOptionsOf(config, files, parts.access),
    authorization: parts.access.authorization,
    kv,
    isFork: parts.isFork,
    startFork: parts.startFork,
    clock,
    random,
    storageMediaType: config.storageMediaType,
    storagePrefix: files.etcd?.storagePrefix,
    serviceClusterIpRange: config.serviceClusterIPRange,
    runtimeConfig: config.runtimeConfig,
    features: config.features,
    // All servers of an etcd share its history and compact it together.
    historyRetentionMs: files.etcd === undefined ? config.historyRetentionMs : 0,
    valueRetentions: valueRetentionsOf(config),
    eventTtlSeconds: eventTtlMs === undefined ? undefined : Math.floor(eventTtlMs / 1000),
    minRequestTimeoutSeconds: config.minRequestTimeoutSeconds,
    livezGraceMs: config.livezGracePeriodMs,
    shutdownDelayMs: config.shutdownDelayMs,
    shutdownSendsRetryAfter: config.shutdownSendRetryAfter,
    shutdownWatchGraceMs: config.shutdownWatchTerminationGracePeriodMs,
    maxMemoryBytes: config.maxMemoryBytes,
    priorityAndFairness: config.enablePriorityAndFairness,
    maxRequestsInFlight: config.maxRequestsInflight,
    maxMutatingRequestsInFlight: config.maxMutatingRequestsInflight,
    watchCache: config.watchCache,
    allowPrivileged: config.allowPrivileged,
    enableAdmissionPlugins: config.enableAdmissionPlugins,
    disableAdmissionPlugins: config.disableAdmissionPlugins,
    admissionConfiguration: files.admission,
    aggregatorRouting: config.enableAggregatorRouting,
    servesHttp2: config.disableHttp2Serving !== true,
    servesProfiles: config.profiling,
    kubelets: kubeletOptionsOf(config, files, certificates),
    egressDenyCidrs: config.egressDenyCidrs?.split(',').map((network) => network.trim()),
    localAddress: (config.processNodes ?? 0) > 0 ? localPodAddress : undefined,
    faults,
    log: parts.log,
    flags: config.flags,
    audit: parts.audit,
    tracing: files.tracing,
    encryption: parts.encryption,
    metrics: parts.metrics,
    healthChecks: parts.healthChecks,
  };
}

function kubeletOptionsOf(
  config: StartConfig,
  files: InputFiles,
  certificates: ServerCredentials['certificates'],
): ServerOptions['kubelets'] {
  return {
    preferredAddressTypes: config.kubeletPreferredAddressTypes && separated(config.kubeletPreferredAddressTypes),
    port: config.kubeletPort,
    timeoutMs: config.kubeletTimeoutMs,
    client: files.kubeletClient ?? certificates.kubeletClient,
    authority: files.kubeletAuthority,
    userName: files.kubeletClient === undefined ? kubeletClientName : undefined,
  };
}

/** How the server encrypts connections, and which clients' certificates it accepts. */
export function tlsOptionsOf(
  config: StartConfig,
  { serving, named, clientAuthority }: CertificateFiles,
  credentials: ServerCredentials,
): ServerOptions['tls'] {
  const own = [credentials, ...(credentials.parents ?? [])].map(
    ({ certificates }) => certificates.authority.certificate,
  );
  const authorities = [...own, clientAuthority];
  return {
    ...(serving ?? servingCertificates(credentials).serving),
    clientCertificateAuthorities: authorities.filter((authority) => authority !== undefined),
    named,
    minimumVersion: config.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
    ciphers: config.tlsCipherSuites && cipherList(separated(config.tlsCipherSuites)),
  };
}

/** The user's front proxies and identity. Without either, the server is its own front proxy. */
export function frontProxyOptionsOf(
  config: StartConfig,
  { proxyClient, frontProxyAuthority }: InputFiles,
  { frontProxy, frontProxyAuthority: ownAuthority }: ServerCredentials['certificates'],
): Pick<ServerOptions, 'proxyClient' | 'frontProxies'> {
  if (proxyClient === undefined && frontProxyAuthority === undefined) {
    const frontProxies = {
      ...standardHeaders,
      authorities: [ownAuthority.certificate],
      allowedNames: [frontProxyName],
    };
    return { proxyClient: frontProxy, frontProxies };
  }
  if (frontProxyAuthority === undefined) return { proxyClient };
  return {
    proxyClient,
    frontProxies: {
      authorities: [frontProxyAuthority],
      allowedNames: separated(config.requestheaderAllowedNames),
      usernameHeaders: separated(config.requestheaderUsernameHeaders),
      uidHeaders: separated(config.requestheaderUidHeaders),
      groupHeaders: separated(config.requestheaderGroupHeaders),
      extraHeaderPrefixes: separated(config.requestheaderExtraHeadersPrefix),
    },
  };
}

function authenticationOptionsOf(
  config: StartConfig,
  { tokenWebhook: service }: InputFiles,
  { authentication: rules }: AccessRules,
): AuthenticationOptions {
  return {
    rules,
    anonymous: config.anonymousAuth,
    bootstrapTokens: config.enableBootstrapTokenAuth,
    tokenWebhook: service && {
      service,
      version: config.authenticationTokenWebhookVersion === 'v1' ? 'v1' : 'v1beta1',
      cacheMs: config.authenticationTokenWebhookCacheTtlMs ?? TOKEN_WEBHOOK_CACHE_MS,
    },
  };
}

function serviceAccountOptionsOf(config: StartConfig, keys: ServiceAccountOptions['keys']): ServiceAccountOptions {
  const maximumMs = config.serviceAccountMaxTokenExpirationMs;
  return {
    keys,
    issuers: config.serviceAccountIssuers,
    apiAudiences: config.apiAudiences?.split(',').map((audience) => audience.trim()),
    jwksUri: config.serviceAccountJwksUri,
    maximumTokenSeconds: maximumMs === undefined ? undefined : Math.floor(maximumMs / 1000),
    extendsTokenExpiration: config.serviceAccountExtendTokenExpiration,
    looksUpSecrets: config.serviceAccountLookup,
  };
}
