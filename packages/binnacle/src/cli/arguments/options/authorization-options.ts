import type { ServeOption } from '../serve-option.js';

/** Who decides what clients may do. */
export const authorizationOptions: readonly ServeOption[] = [
  {
    name: 'authorization-mode',
    type: 'text',
    placeholder: 'LIST',
    key: 'authorizationMode',
    default: 'Node,RBAC',
    description:
      'authorizers in order, separated by commas: Node, RBAC, Webhook, ABAC, AlwaysAllow, AlwaysDeny; the first with an opinion decides',
  },
  {
    name: 'authorization-config',
    type: 'text',
    placeholder: 'FILE',
    key: 'authorizationConfig',
    description:
      'file with an AuthorizationConfiguration, in place of --authorization-mode; read again when it changes',
  },
  {
    name: 'authorization-policy-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'authorizationPolicyFile',
    description: 'file with the policies of ABAC, a JSON object on each line',
  },
  {
    name: 'authorization-webhook-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'authorizationWebhookConfigFile',
    description: 'kubeconfig file of the service that the authorizer Webhook asks',
  },
  {
    name: 'authorization-webhook-version',
    type: 'text',
    placeholder: 'VERSION',
    key: 'authorizationWebhookVersion',
    default: 'v1beta1',
    description: 'version of the SubjectAccessReviews that this service gets, v1 or v1beta1',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'authorizationWebhookCacheAuthorizedTtlMs',
    default: '5m',
    description: 'how long to cache answers of this service that allow a request; 0 turns this cache off',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'authorizationWebhookCacheUnauthorizedTtlMs',
    default: '30s',
    description: 'how long to cache its other answers; 0 turns this cache off',
  },
];
