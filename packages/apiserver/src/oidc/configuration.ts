import {
  type ConfigurationKinds,
  flag,
  kind,
  listOf,
  nested,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';

/** The fields of a file of the kind AuthenticationConfiguration. Upstream: apiserver `pkg/apis/apiserver/v1/types.go`. */
export interface AuthenticationFile {
  readonly jwt?: readonly JwtAuthenticator[] | undefined;
  readonly anonymous?: AnonymousRules | undefined;
}

export interface AnonymousRules {
  readonly enabled?: boolean | undefined;
  /** Paths that anonymous requests may have. Absent or empty: all. */
  readonly conditions?: readonly { readonly path?: string | undefined }[] | undefined;
}

export interface JwtAuthenticator {
  readonly issuer?: Issuer | undefined;
  readonly claimValidationRules?: readonly ClaimValidationRule[] | undefined;
  readonly claimMappings?: ClaimMappings | undefined;
  readonly userValidationRules?: readonly UserValidationRule[] | undefined;
}

export interface Issuer {
  readonly url?: string | undefined;
  readonly discoveryURL?: string | undefined;
  /** PEM. */
  readonly certificateAuthority?: string | undefined;
  readonly audiences?: readonly string[] | undefined;
  readonly audienceMatchPolicy?: string | undefined;
  readonly egressSelectorType?: string | undefined;
}

export interface ClaimValidationRule {
  readonly claim?: string | undefined;
  readonly requiredValue?: string | undefined;
  readonly expression?: string | undefined;
  readonly message?: string | undefined;
}

export interface ClaimMappings {
  readonly username?: PrefixedClaimOrExpression | undefined;
  readonly groups?: PrefixedClaimOrExpression | undefined;
  readonly uid?: ClaimOrExpression | undefined;
  readonly extra?: readonly ExtraMapping[] | undefined;
}

export interface ClaimOrExpression {
  readonly claim?: string | undefined;
  readonly expression?: string | undefined;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix?: string | undefined;
}

export interface ExtraMapping {
  readonly key?: string | undefined;
  readonly valueExpression?: string | undefined;
}

export interface UserValidationRule {
  readonly expression?: string | undefined;
  readonly message?: string | undefined;
}

const GROUP = 'apiserver.config.k8s.io';
const prefixed = struct('v1.PrefixedClaimOrExpression', { claim: text, prefix: text, expression: text });
const issuer = struct('v1.Issuer', {
  url: text,
  discoveryURL: text,
  certificateAuthority: text,
  audiences: texts,
  audienceMatchPolicy: text,
  egressSelectorType: text,
});
const authenticator = struct('v1.JWTAuthenticator', {
  issuer: nested(issuer),
  claimValidationRules: listOf(
    nested(struct('v1.ClaimValidationRule', { claim: text, requiredValue: text, expression: text, message: text })),
  ),
  claimMappings: nested(
    struct('v1.ClaimMappings', {
      username: nested(prefixed),
      groups: nested(prefixed),
      uid: nested(struct('v1.ClaimOrExpression', { claim: text, expression: text })),
      extra: listOf(nested(struct('v1.ExtraMapping', { key: text, valueExpression: text }))),
    }),
  ),
  userValidationRules: listOf(nested(struct('v1.UserValidationRule', { expression: text, message: text }))),
});
const configuration = kind('v1.AuthenticationConfiguration', {
  jwt: listOf(nested(authenticator)),
  anonymous: nested(
    struct('v1.AnonymousAuthConfig', {
      enabled: flag,
      conditions: listOf(nested(struct('v1.AnonymousAuthCondition', { path: text }))),
    }),
  ),
});

/** The versions have the same fields. */
export const kinds: ConfigurationKinds = new Map(
  ['v1', 'v1beta1', 'v1alpha1'].map((version) => [`${GROUP}/${version}/AuthenticationConfiguration`, configuration]),
);
