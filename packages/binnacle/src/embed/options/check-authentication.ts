import type { AuthenticationStartOptions } from './authentication-options.js';
import { separated } from './separated.js';
import { usageError } from '../start-error.js';

/** Throws a `usage` error. Upstream: kubernetes `pkg/kubeapiserver/options/authentication.go`. */
export function checkAuthentication(options: AuthenticationStartOptions): void {
  const { authenticationTokenWebhookVersion: version, authenticationTokenWebhookCacheTtlMs: cacheMs } = options;
  if (version !== undefined && version !== 'v1' && version !== 'v1beta1') {
    const supported = 'supported versions are "v1", "v1beta1"';
    throw usageError(`unsupported authentication webhook version ${JSON.stringify(version)}, ${supported}`);
  }
  if (cacheMs !== undefined && !(cacheMs >= 0)) {
    throw usageError('--authentication-token-webhook-cache-ttl must not be negative; 0 turns the cache off');
  }
  checkOidc(options);
  if (options.authenticationTokenWebhookConfigFile !== undefined) return;
  for (const [flag, value] of [
    ['version', version],
    ['cache-ttl', cacheMs],
  ] as const) {
    if (value === undefined) continue;
    throw usageError(`--authentication-token-webhook-${flag} needs --authentication-token-webhook-config-file`);
  }
}

/** Upstream: apiserver `plugin/pkg/authenticator/token/oidc` allowedSigningAlgs. */
const ALGORITHMS = /^(RS|ES|PS)(256|384|512)$/;

function checkOidc(options: AuthenticationStartOptions): void {
  const names = Object.entries(options).filter(([name, value]) => name.startsWith('oidc') && value !== undefined);
  if (names.length === 0) return;
  if (options.authenticationConfig !== undefined) {
    throw usageError('authentication-config file and oidc-* flags are mutually exclusive');
  }
  const { oidcIssuerUrl, oidcClientId, oidcRequiredClaims = [], oidcSigningAlgs } = options;
  if ((oidcIssuerUrl ?? '') === '' || (oidcClientId ?? '') === '') {
    throw usageError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  }
  const claim = oidcRequiredClaims.find((text) => text.indexOf('=') < 1);
  if (claim !== undefined) throw usageError(`--oidc-required-claim ${JSON.stringify(claim)} is not key=value`);
  const algorithm = oidcSigningAlgs && separated(oidcSigningAlgs).find((name) => !ALGORITHMS.test(name));
  if (algorithm !== undefined) throw usageError(`oidc: unsupported signing alg: ${JSON.stringify(algorithm)}`);
}
