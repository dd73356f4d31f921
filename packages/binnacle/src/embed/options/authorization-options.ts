/** Who decides what clients may do. */
export interface AuthorizationStartOptions {
  /** The authorizers in order, separated by commas: Node, RBAC, Webhook, ABAC, AlwaysAllow, AlwaysDeny. Default: `Node,RBAC`. */
  readonly authorizationMode?: string | undefined;
  /**
   * File of the kind AuthorizationConfiguration. It is read again when it changes. Not with `authorizationMode` and
   * `authorizationWebhook*`.
   */
  readonly authorizationConfig?: string | undefined;
  /** File with the policies of ABAC, a JSON object on each line. */
  readonly authorizationPolicyFile?: string | undefined;
  /** Kubeconfig file of the service that the authorizer Webhook asks. */
  readonly authorizationWebhookConfigFile?: string | undefined;
  /** The version of the reviews that it is sent: `v1` or `v1beta1`. Default: `v1beta1`. */
  readonly authorizationWebhookVersion?: string | undefined;
  /** How long its answers that allow are cached, in milliseconds; 0 = not at all. Default: five minutes. */
  readonly authorizationWebhookCacheAuthorizedTtlMs?: number | undefined;
  /** The same for its other answers. Default: 30 seconds. */
  readonly authorizationWebhookCacheUnauthorizedTtlMs?: number | undefined;
}
