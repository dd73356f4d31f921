import type { ServeOption } from '../serve-option.js';

/** Tokens of service accounts. The names are kube-apiserver's. */
export const serviceAccountOptions: readonly ServeOption[] = [
  {
    name: 'service-account-signing-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'serviceAccountSigningKeyFile',
    default: 'a key generated on first start',
    description: 'PEM file of the private key that signs service account tokens',
  },
  {
    name: 'service-account-key-file',
    type: 'texts',
    placeholder: 'FILE',
    key: 'serviceAccountKeyFiles',
    description: 'PEM file of further keys that verify service account tokens; repeat the option for several files',
  },
  {
    name: 'service-account-issuer',
    type: 'texts',
    placeholder: 'URL',
    key: 'serviceAccountIssuers',
    default: 'https://kubernetes.default.svc.cluster.local',
    description: 'issuer of service account tokens; repeat the option to accept tokens of further issuers',
  },
  {
    name: 'service-account-jwks-uri',
    type: 'text',
    placeholder: 'URL',
    key: 'serviceAccountJwksUri',
    default: '/openid/v1/jwks on this server',
    description: 'URL of the public keys, as the issuer document announces it',
  },
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'serviceAccountMaxTokenExpirationMs',
    default: '0',
    description: 'longest lifetime of a service account token, at least 1h; 0 sets no limit',
  },
  {
    name: 'service-account-extend-token-expiration',
    type: 'switch',
    key: 'serviceAccountExtendTokenExpiration',
    default: 'true',
    description: 'accept pod tokens for a year, so that clients that never reload them keep working',
  },
  {
    name: 'service-account-lookup',
    type: 'switch',
    key: 'serviceAccountLookup',
    default: 'true',
    description: 'reject a token without expiry when its Secret or its service account no longer exists',
  },
  {
    name: 'api-audiences',
    type: 'text',
    placeholder: 'LIST',
    key: 'apiAudiences',
    default: 'the issuers',
    description: 'audiences that a token must name to be accepted, separated by commas',
  },
];
