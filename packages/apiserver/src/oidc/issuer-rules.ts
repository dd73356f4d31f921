import type { CompiledExpression } from '@binnacle/apimachinery/admission-expressions';

/** How tokens of one issuer are verified, and how they become users. Its expressions compile. */
export interface IssuerRules {
  readonly url: string;
  /** Where the issuer describes itself. Default: below `url`. */
  readonly discoveryUrl: string | undefined;
  /** PEM. Default: the authorities of the system. */
  readonly certificateAuthority: string | undefined;
  /** A token must name one of them. */
  readonly audiences: readonly string[];
  /** The signature algorithms that tokens may have. */
  readonly algorithms: readonly string[];
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly claimConditions: readonly Condition[];
  readonly username: Mapping;
  readonly groups: Mapping | undefined;
  readonly uid: Mapping | undefined;
  readonly extra: readonly { readonly key: string; readonly value: CompiledExpression }[];
  readonly userConditions: readonly Condition[];
}

export interface Condition {
  readonly expression: CompiledExpression;
  readonly message: string;
}

export type Mapping = { readonly claim: string; readonly prefix: string } | { readonly expression: CompiledExpression };

/** Which requests without credentials are anonymous. */
export interface AnonymousPaths {
  readonly enabled: boolean;
  /** Exactly these. Undefined: all. */
  readonly paths: ReadonlySet<string> | undefined;
}

/** The rules of an AuthenticationConfiguration. */
export interface AuthenticationRules {
  readonly issuers: readonly IssuerRules[];
  /** Undefined: the file does not say. */
  readonly anonymous: AnonymousPaths | undefined;
}

/** The algorithms that a structured configuration permits, in order. */
export const ALL_ALGORITHMS: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
