import type { AuthorizationAnswer, AuthorizationCheck } from '@binnacle/apimachinery/admission-expressions';
import type { UserInfo } from '../authentication/index.js';

/** Answers an authorization check of an expression for the user of a request. A failure is returned as an answer, not thrown. */
export type AuthorizeExpression = (
  user: UserInfo,
  check: AuthorizationCheck,
) => AuthorizationAnswer | Promise<AuthorizationAnswer>;
