/** Why a token is refused, without the prefix `oidc:`. Only a TokenReview shows it. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}
