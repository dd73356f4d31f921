export type { SubjectResource, TokenSubjects } from './bindings.js';
export { secondsOf } from './claim-readers.js';
export { type BoundObject, encodeClaims, type TokenClaims } from './claims.js';
export { hasValidSignature, type ParsedToken, parseToken, signToken } from './json-web-token.js';
export { createOpenId, type OpenId, type OpenIdOptions } from './open-id.js';
export {
  makeSigningKeyText,
  readSigningKey,
  readVerificationKeys,
  type SigningKey,
  type TokenKeys,
  tokenKeys,
  type VerificationKey,
} from './signing-keys.js';
export { serviceAccountAuthenticator, type TokenAuthenticatorOptions } from './token-authenticator.js';
export type { TokenUse, TokenUsed } from './token-use.js';
export { secretTokenAuthenticator, type SecretTokenOptions } from './secret-token-authenticator.js';
