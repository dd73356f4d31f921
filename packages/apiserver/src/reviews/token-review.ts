import { asKind } from '@binnacle/apimachinery/meta';
import type { TokenReview, TokenReviewSpec, TokenReviewStatus } from '@binnacle/api/types/authentication-v1';
import { badRequest, StatusError } from '@binnacle/apimachinery/status';
import { type Authenticate, bearerToken, encodeHeader } from '../authentication/index.js';
import type { Reviewer } from './review.js';
import { userInfoOf } from './user-info.js';

/**
 * Reviews a token. `audiences` are the server's own.
 * Upstream: kubernetes `pkg/registry/authentication/tokenreview`.
 */
export function tokenReviewer(authenticate: Authenticate, audiences: readonly string[]): Reviewer {
  return async (object) => {
    const { spec } = asKind<Partial<TokenReview>>(object);
    const { token = '', audiences: wanted = [] }: Partial<TokenReviewSpec> = spec ?? {};
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    return { ...object, status: await review(authenticate, token, wanted, audiences) };
  };
}

/** Authenticates the token as a request with it, as upstream does. */
async function review(
  authenticate: Authenticate,
  given: string,
  wanted: readonly string[],
  own: readonly string[],
): Promise<TokenReviewStatus> {
  const asked = wanted.length === 0 ? own : wanted;
  const { token } = bearerToken({ authorization: encodeHeader(`Bearer ${given}`) });
  if (token === undefined) return unknown();
  try {
    const user = await authenticate({ bearerToken: token, audiences: asked });
    const audiences = user.audiences ?? asked.filter((audience) => own.includes(audience));
    return audiences.length === 0
      ? unknown()
      : { authenticated: true, user: userInfoOf(user), audiences: [...audiences] };
  } catch (error) {
    if (error instanceof StatusError && error.code === 401) return unknown(error.cause);
    throw error;
  }
}

/**
 * Upstream joins the errors of its authenticators. The one for its own service account tokens rejects every other token
 * with the first text.
 */
function unknown(reason?: unknown): TokenReviewStatus {
  const error = 'invalid bearer token';
  return { user: {}, error: typeof reason === 'string' ? `[${error}, ${reason}]` : error };
}
