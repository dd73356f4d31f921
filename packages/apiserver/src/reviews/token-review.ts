import type { TokenReview, TokenReviewSpec, TokenReviewStatus } from '@binnacle/api/types/authentication-v1';
import { badRequest, StatusError } from '@binnacle/apimachinery/status';
import type { Authenticate } from '../authentication/index.js';
import type { Reviewer } from './review.js';
import { userInfoOf } from './user-info.js';

/**
 * Whose token is this? `audiences` are the server's own. Upstream: kubernetes `pkg/registry/authentication/tokenreview`.
 */
export function tokenReviewer(authenticate: Authenticate, audiences: readonly string[]): Reviewer {
  return async (object) => {
    const { spec } = object as unknown as Partial<TokenReview>;
    const { token = '', audiences: wanted = [] }: Partial<TokenReviewSpec> = spec ?? {};
    if (token === '') throw badRequest('token is required for TokenReview in authentication');
    return { ...object, status: await review(authenticate, token, wanted, audiences) };
  };
}

async function review(
  authenticate: Authenticate,
  bearerToken: string,
  wanted: readonly string[],
  own: readonly string[],
): Promise<TokenReviewStatus> {
  const audiences = wanted.length === 0 ? [...own] : own.filter((audience) => wanted.includes(audience));
  if (audiences.length === 0) return unknown;
  try {
    return { authenticated: true, user: userInfoOf(await authenticate({ bearerToken })), audiences };
  } catch (error) {
    if (error instanceof StatusError && error.code === 401) return unknown;
    throw error;
  }
}

const unknown: TokenReviewStatus = { user: {}, error: 'invalid bearer token' };
