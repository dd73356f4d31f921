import { StatusError, unauthorized } from '@binnacle/apimachinery/status';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  type Authenticator,
  anonymousUser,
  type Credentials,
  type UserInfo,
} from './user.js';

export interface UnionOptions {
  /** Asked in this order. */
  readonly authenticators: readonly Authenticator[];
  /** Whether a request without credentials is let in as {@link anonymousUser}. */
  readonly anonymous: boolean;
}

/** Decides who the caller is; throws StatusError 401 when it is nobody. */
export type Authenticate = (credentials: Credentials) => UserInfo | Promise<UserInfo>;

/**
 * The first authenticator that recognises the caller decides, even when an earlier one refused other credentials of the
 * same request. Credentials that nobody recognises are refused: a wrong token does not make an anonymous user.
 */
export function unionAuthenticator({ authenticators, anonymous }: UnionOptions): Authenticate {
  const ask = (
    credentials: Credentials,
    start: number,
    alreadyRefused: StatusError | undefined,
  ): UserInfo | Promise<UserInfo> => {
    let refused = alreadyRefused;
    for (let index = start; index < authenticators.length; index++) {
      try {
        const answer = authenticators[index]?.authenticate(credentials);
        if (answer instanceof Promise) {
          return answer.then(
            (user) => (user === undefined ? ask(credentials, index + 1, refused) : authenticated(user)),
            (error: unknown) => ask(credentials, index + 1, refusal(error)),
          );
        }
        if (answer !== undefined) return authenticated(answer);
      } catch (error) {
        refused = refusal(error);
      }
    }
    if (refused !== undefined) throw refused;
    if (credentials.bearerToken !== undefined || !anonymous) throw unauthorized();
    return anonymousUser;
  };
  return (credentials) => ask(credentials, 0, undefined);
}

/** A refusal lets the others be asked; a failure of ours ends the request. */
function refusal(error: unknown): StatusError {
  if (error instanceof StatusError && error.code === 401) return error;
  throw error;
}

function authenticated(user: UserInfo): UserInfo {
  const groups = user.groups;
  const known =
    user.name === anonymousUser.name || groups.includes(ALL_AUTHENTICATED) || groups.includes(ALL_UNAUTHENTICATED);
  return known ? user : { ...user, groups: [...groups, ALL_AUTHENTICATED] };
}
