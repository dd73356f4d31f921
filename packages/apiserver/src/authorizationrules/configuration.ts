import {
  type ConfigurationKinds,
  duration,
  flag,
  kind,
  listOf,
  nested,
  struct,
  text,
} from '@binnacle/apimachinery/configuration';

/** The fields of a file of the kind AuthorizationConfiguration. Upstream: apiserver `pkg/apis/apiserver/v1/types.go`. */
export interface AuthorizationFile {
  readonly authorizers?: readonly AuthorizerEntry[] | undefined;
}

export interface AuthorizerEntry {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly webhook?: WebhookEntry | undefined;
}

/** Durations are in Go's form. */
export interface WebhookEntry {
  readonly authorizedTTL?: string | undefined;
  readonly cacheAuthorizedRequests?: boolean | undefined;
  readonly unauthorizedTTL?: string | undefined;
  readonly cacheUnauthorizedRequests?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly subjectAccessReviewVersion?: string | undefined;
  readonly matchConditionSubjectAccessReviewVersion?: string | undefined;
  readonly failurePolicy?: string | undefined;
  readonly connectionInfo?: ConnectionInfo | undefined;
  readonly matchConditions?: readonly { readonly expression?: string | undefined }[] | undefined;
}

export interface ConnectionInfo {
  readonly type?: string | undefined;
  readonly kubeConfigFile?: string | undefined;
}

const GROUP = 'apiserver.config.k8s.io';
const webhook = struct('v1.WebhookConfiguration', {
  authorizedTTL: duration,
  cacheAuthorizedRequests: flag,
  unauthorizedTTL: duration,
  cacheUnauthorizedRequests: flag,
  timeout: duration,
  subjectAccessReviewVersion: text,
  matchConditionSubjectAccessReviewVersion: text,
  failurePolicy: text,
  connectionInfo: nested(struct('v1.WebhookConnectionInfo', { type: text, kubeConfigFile: text })),
  matchConditions: listOf(nested(struct('v1.WebhookMatchCondition', { expression: text }))),
});
const configuration = kind('v1.AuthorizationConfiguration', {
  authorizers: listOf(
    nested(struct('v1.AuthorizerConfiguration', { type: text, name: text, webhook: nested(webhook) })),
  ),
});

/** The versions have the same fields. */
export const kinds: ConfigurationKinds = new Map(
  ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${GROUP}/${version}/AuthorizationConfiguration`, configuration]),
);
