/** How clients prove who they are, besides certificates and tokens of this server. */
export interface AuthenticationStartOptions {
  /** Whether requests without credentials are anonymous; otherwise they get 401. Default: true. */
  readonly anonymousAuth?: boolean | undefined;
  /** Whether tokens in Secrets of the type `bootstrap.kubernetes.io/token` are accepted. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined;
  /** Kubeconfig file of the service that reviews bearer tokens. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined;
  /** The version of the reviews that it is sent: `v1` or `v1beta1`. Default: `v1beta1`. */
  readonly authenticationTokenWebhookVersion?: string | undefined;
  /** How long its answers are cached, in milliseconds; 0 = not at all. Default: two minutes. */
  readonly authenticationTokenWebhookCacheTtlMs?: number | undefined;
  /**
   * File of the kind AuthenticationConfiguration: issuers of tokens, and paths for anonymous requests. It is read again when
   * it changes. Not with the options `oidc*`.
   */
  readonly authenticationConfig?: string | undefined;
  /** The issuer of OpenID Connect whose tokens are accepted, a URL of https; with `oidcClientId`. */
  readonly oidcIssuerUrl?: string | undefined;
  /** The audience that its tokens must name. */
  readonly oidcClientId?: string | undefined;
  /** PEM file of the authorities of the issuer's certificate. Default: those of the system. */
  readonly oidcCaFile?: string | undefined;
  /** The claim that names the user. Default: `sub`. */
  readonly oidcUsernameClaim?: string | undefined;
  /** The prefix of user names; `-` for none. Default: the issuer and `#`, unless the claim is `email`. */
  readonly oidcUsernamePrefix?: string | undefined;
  /** The claim that names groups. Default: none. */
  readonly oidcGroupsClaim?: string | undefined;
  /** The prefix of groups. Default: none. */
  readonly oidcGroupsPrefix?: string | undefined;
  /** Claims that tokens must have, as `name=value`. */
  readonly oidcRequiredClaims?: readonly string[] | undefined;
  /** The signature algorithms of tokens. Default: RS256. */
  readonly oidcSigningAlgs?: readonly string[] | undefined;
}
