import type { AuthenticationStartOptions } from './authentication-options.js';
import { usageError } from './start-error.js';

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
  if (options.authenticationTokenWebhookConfigFile !== undefined) return;
  for (const [flag, value] of [
    ['version', version],
    ['cache-ttl', cacheMs],
  ] as const) {
    if (value === undefined) continue;
    throw usageError(`--authentication-token-webhook-${flag} needs --authentication-token-webhook-config-file`);
  }
}
