import {
  type Authenticate,
  type Authenticator,
  bootstrapTokenAuthenticator,
  clientCertificateAuthenticator,
  inProcessAuthenticator,
  type RequestHeaderOptions,
  requestHeaderAuthenticator,
  tokenAuthenticator,
  unionAuthenticator,
} from '../../authentication/index.js';
import { tokenWebhookAuthenticator } from '../../reviewwebhooks/index.js';
import type { AuthenticationRules } from '../../oidc/index.js';
import {
  type CertificateMetrics,
  serviceAccountTokenMetrics,
  tokenCacheMetrics,
  tokenMetrics,
} from '../../metrics/index.js';
import { SECRETS } from '../../registry/index.js';
import { secretTokenAuthenticator, serviceAccountAuthenticator } from '../../serviceaccounts/index.js';
import type { ServerConfig } from '../config.js';
import { lazyTokenAuthenticator } from './lazy-authenticator.js';
import type { Delegation, TokenWebhook } from '../options.js';
import type { RemoteServices } from '../remote-services.js';
import type { ResourceApi } from '../resource-api.js';
import { secretTokenUse } from './secret-token-use.js';
import { bootstrapSecrets } from '../sources/index.js';

/** Every way in which a client can prove who it is, in the order in which they are tried; otherwise it is anonymous. */
export function createAuthenticate(
  config: ServerConfig,
  { sources, stores }: ResourceApi,
  remoteServices: RemoteServices,
  certificates: CertificateMetrics,
): Authenticate {
  const { now, report, serviceAccounts, frontProxies, delegation } = config;
  const { bootstrapTokens, tokenWebhook: webhook, rules } = config.authentication;
  const { subjects } = sources;
  const { keys, issuers, apiAudiences, looksUpSecrets: looksUp } = serviceAccounts;
  const secretUsed = secretTokenUse({ secrets: () => stores.find(SECRETS), now, report });
  const used = serviceAccountTokenMetrics(config.metrics);
  return unionAuthenticator({
    authenticators: [
      inProcessAuthenticator,
      ...(frontProxies === undefined ? [] : [requestHeaderAuthenticator(lowerCase(frontProxies), now)]),
      clientCertificateAuthenticator(now, certificates.presented),
      tokenAuthenticator(config.tokens),
      secretTokenAuthenticator({ apiAudiences, keys, subjects, looksUp, secretUsed, used }),
      ...(delegation === undefined ? [] : [delegatedAuthenticator(delegation)]),
      serviceAccountAuthenticator({ issuers, apiAudiences, keys, subjects, now, used }),
      ...(bootstrapTokens ? [bootstrapTokenAuthenticator({ secret: bootstrapSecrets(stores), now })] : []),
      ...(rules === undefined ? [] : [issuerTokens(rules, config)]),
      ...(webhook === undefined ? [] : [tokenWebhook(webhook, config, remoteServices)]),
    ],
    anonymous: anonymousPaths(config.authentication),
  });
}

/** Whether a request for a path may be anonymous. */
function anonymousPaths({ anonymous, rules }: ServerConfig['authentication']): (path: string | undefined) => boolean {
  return (path = '') => {
    const { enabled, paths } = rules?.().anonymous ?? { enabled: anonymous, paths: undefined };
    return enabled && (paths === undefined || paths.has(path));
  };
}

function issuerTokens(rules: () => AuthenticationRules, config: ServerConfig): Authenticator {
  const { serviceAccounts, egress, clock } = config;
  const { apiAudiences } = serviceAccounts;
  const observer = tokenMetrics(config.metrics);
  return lazyTokenAuthenticator('oidc', async () => {
    const { issuerTokenAuthenticator } = await import('../../oidc/index.js');
    return issuerTokenAuthenticator({ rules, apiAudiences, egress, clock, observer });
  });
}

function tokenWebhook(
  { service, version, cacheMs }: TokenWebhook,
  { serviceAccounts, clock, metrics }: ServerConfig,
  remoteServices: RemoteServices,
): Authenticator {
  const { apiAudiences } = serviceAccounts;
  const observer = tokenCacheMetrics(metrics, clock);
  return tokenWebhookAuthenticator({
    service: remoteServices.open(service),
    version,
    cacheMs,
    apiAudiences,
    clock,
    observer,
  });
}

/** Node.js gives all header names in lower case. */
function lowerCase(options: RequestHeaderOptions): RequestHeaderOptions {
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  return {
    allowedNames: options.allowedNames,
    usernameHeaders: lower(options.usernameHeaders),
    uidHeaders: lower(options.uidHeaders),
    groupHeaders: lower(options.groupHeaders),
    extraHeaderPrefixes: lower(options.extraHeaderPrefixes),
  };
}

/** Before the server's own service accounts, whose tokens a cluster does not know. */
function delegatedAuthenticator(delegation: Delegation): Authenticator {
  return {
    name: 'delegated',
    authenticate: ({ bearerToken }) => (bearerToken === undefined ? undefined : delegation.userOf(bearerToken)),
  };
}
