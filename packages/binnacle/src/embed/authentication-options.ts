/** How clients prove who they are, besides certificates and tokens of this server. */
export interface AuthenticationStartOptions {
  /** Whether requests without credentials are anonymous; otherwise they get 401. Default: true. */
  readonly anonymousAuth?: boolean | undefined;
  /** Whether tokens in Secrets of the type `bootstrap.kubernetes.io/token` are accepted. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined;
  /** Kubeconfig file of the service that is asked whose a token is. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined;
  /** The version of the reviews that it is sent: `v1` or `v1beta1`. Default: `v1beta1`. */
  readonly authenticationTokenWebhookVersion?: string | undefined;
  /** How long its answers are cached, milliseconds; 0 = not at all. Default: two minutes. */
  readonly authenticationTokenWebhookCacheTtlMs?: number | undefined;
}
