import type { AuthenticationFile } from '@binnacle/apiserver/oidc';
import type { AuthenticationStartOptions } from './authentication-options.js';
import { separated } from './separated.js';

/** Upstream: `--oidc-signing-algs`. */
const DEFAULT_ALGORITHMS = ['RS256'];
/** The value of `--oidc-username-prefix` for user names without a prefix. */
const NO_PREFIX = '-';

/**
 * The authentication configuration that the flags `--oidc-*` amount to. `certificateAuthority`: PEM.
 * Upstream: kubernetes `pkg/kubeapiserver/options/authentication.go` ToAuthenticationConfig.
 */
export function authenticationOfFlags(
  options: AuthenticationStartOptions,
  certificateAuthority: string | undefined,
): { readonly file: AuthenticationFile; readonly algorithms: readonly string[] } {
  const { oidcIssuerUrl: url = '', oidcClientId = '', oidcUsernameClaim: claim = 'sub', oidcGroupsClaim } = options;
  const required = (options.oidcRequiredClaims ?? []).map((text) => {
    const equals = text.indexOf('=');
    return { claim: text.slice(0, equals), requiredValue: text.slice(equals + 1) };
  });
  const groups = { claim: oidcGroupsClaim, prefix: options.oidcGroupsPrefix ?? '' };
  const authenticator = {
    issuer: { url, audiences: [oidcClientId], certificateAuthority },
    claimMappings: {
      username: { claim, prefix: usernamePrefix(options.oidcUsernamePrefix ?? '', claim, url) },
      ...(oidcGroupsClaim === undefined ? {} : { groups }),
    },
    claimValidationRules: required,
  };
  const algorithms = options.oidcSigningAlgs === undefined ? DEFAULT_ALGORITHMS : separated(options.oidcSigningAlgs);
  return { file: { jwt: [authenticator] }, algorithms: algorithms.toSorted() };
}

/** Without a prefix, names other than mail addresses get that of their issuer. */
function usernamePrefix(prefix: string, claim: string, issuer: string): string {
  if (prefix === '' && claim !== 'email') return `${issuer}#`;
  return prefix === NO_PREFIX ? '' : prefix;
}
