import type { AuthorizationStartOptions } from './authorization-options.js';
import { usageError } from '../start-error.js';

const MODES = ['Node', 'RBAC', 'Webhook', 'ABAC', 'AlwaysAllow', 'AlwaysDeny'] as const;

export type AuthorizationMode = (typeof MODES)[number];

/** The modes of the flag. Throws a `usage` error for an unknown one. */
export function authorizationModes({
  authorizationMode = 'Node,RBAC',
}: AuthorizationStartOptions): AuthorizationMode[] {
  return authorizationMode.split(',').map((text) => {
    const mode = MODES.find((each) => each === text.trim());
    if (mode === undefined) throw usageError(`authorization-mode ${JSON.stringify(text.trim())} is not a valid mode`);
    return mode;
  });
}

/** Throws a `usage` error. Upstream: kubernetes `pkg/kubeapiserver/options/authorization.go`. */
export function checkAuthorization(options: AuthorizationStartOptions): void {
  const webhook = Object.entries(options).filter(
    ([name, value]) => name.startsWith('authorizationWebhook') && value !== undefined,
  );
  if (options.authorizationConfig !== undefined) {
    if (options.authorizationMode === undefined && webhook.length === 0) return;
    throw usageError(
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    );
  }
  const modes = authorizationModes(options);
  if (new Set(modes).size < modes.length) {
    throw usageError(`authorization-mode ${JSON.stringify(modes)} has mode specified more than once`);
  }
  const { authorizationPolicyFile: policyFile, authorizationWebhookConfigFile: configFile } = options;
  if (modes.includes('ABAC') !== (policyFile !== undefined)) {
    throw usageError(
      policyFile === undefined
        ? "authorization-mode ABAC's authorization policy file not passed"
        : 'cannot specify --authorization-policy-file without mode ABAC',
    );
  }
  if (modes.includes('Webhook') && configFile === undefined) {
    throw usageError("authorization-mode Webhook's authorization config file not passed");
  }
  if (!modes.includes('Webhook') && webhook.length > 0) {
    throw usageError('cannot specify --authorization-webhook-config-file without mode Webhook');
  }
  checkWebhook(options);
}

function checkWebhook(options: AuthorizationStartOptions): void {
  const version = options.authorizationWebhookVersion;
  if (version !== undefined && version !== 'v1' && version !== 'v1beta1') {
    const supported = 'supported versions are "v1", "v1beta1"';
    throw usageError(`unsupported webhook authorizer version ${JSON.stringify(version)}, ${supported}`);
  }
  for (const [name, milliseconds = 0] of [
    ['authorized', options.authorizationWebhookCacheAuthorizedTtlMs],
    ['unauthorized', options.authorizationWebhookCacheUnauthorizedTtlMs],
  ] as const) {
    if (milliseconds >= 0) continue;
    throw usageError(`--authorization-webhook-cache-${name}-ttl must not be negative; 0 turns the cache off`);
  }
}
