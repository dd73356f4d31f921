/** How clients prove who they are, besides certificates and tokens of this server. */
export const authenticationOptions = [
  {
    name: 'anonymous-auth',
    type: 'switch',
    key: 'anonymousAuth',
    default: 'true',
    description: 'treat requests without credentials as those of system:anonymous; otherwise they get 401',
  },
  {
    name: 'enable-bootstrap-token-auth',
    type: 'switch',
    key: 'enableBootstrapTokenAuth',
    default: 'false',
    description: 'accept bootstrap tokens, which are Secrets of the type bootstrap.kubernetes.io/token in kube-system',
  },
  {
    name: 'authentication-token-webhook-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'authenticationTokenWebhookConfigFile',
    description: 'kubeconfig file of the service that is asked whose a bearer token is',
  },
  {
    name: 'authentication-token-webhook-version',
    type: 'text',
    placeholder: 'VERSION',
    key: 'authenticationTokenWebhookVersion',
    default: 'v1beta1',
    description: 'version of the TokenReview that this service is sent, v1 or v1beta1',
  },
  {
    name: 'authentication-token-webhook-cache-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'authenticationTokenWebhookCacheTtlMs',
    default: '2m',
    description: 'how long the answers of this service are cached; 0 turns the cache off',
  },
] as const;
