import { StatusError, unauthorized } from '@binnacle/apimachinery/status';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  type Authenticator,
  anonymousUser,
  type Credentials,
  refused,
  type UserInfo,
} from './user.js';

export interface UnionOptions {
  /** Tried in this order. */
  readonly authenticators: readonly Authenticator[];
  /** Whether a request without credentials becomes {@link anonymousUser}. It may depend on the path. */
  readonly anonymous: boolean | ((path: string | undefined) => boolean);
}

/** Finds the user of a request. Throws StatusError 401 when authentication fails. */
export type Authenticate = (credentials: Credentials) => UserInfo | Promise<UserInfo>;

/**
 * The first authenticator that accepts the caller decides, even when an earlier one rejected other credentials of the
 * same request. Credentials that no authenticator accepts get 401: a wrong token does not make the request anonymous.
 */
export function unionAuthenticator({ authenticators, anonymous }: UnionOptions): Authenticate {
  const admitsAnonymous = typeof anonymous === 'boolean' ? () => anonymous : anonymous;
  const ask = (
    credentials: Credentials,
    start: number,
    earlier: readonly StatusError[],
  ): UserInfo | Promise<UserInfo> => {
    const refusals = [...earlier];
    for (let index = start; index < authenticators.length; index++) {
      try {
        const answer = authenticators[index]?.authenticate(credentials);
        if (answer instanceof Promise) {
          return answer.then(
            (user) => (user === undefined ? ask(credentials, index + 1, refusals) : authenticated(user)),
            (error: unknown) => ask(credentials, index + 1, [...refusals, refusal(error)]),
          );
        }
        if (answer !== undefined) return authenticated(answer);
      } catch (error) {
        refusals.push(refusal(error));
      }
    }
    if (refusals.length > 0) throw joined(refusals);
    if (credentials.bearerToken !== undefined || !admitsAnonymous(credentials.path)) throw unauthorized();
    return anonymousUser;
  };
  return (credentials) => ask(credentials, 0, []);
}

/** A 401 lets the next authenticator try; an internal error ends the request. */
function refusal(error: unknown): StatusError {
  if (error instanceof StatusError && error.code === 401) return error;
  throw error;
}

/** One refusal with the reasons of all, each once. */
function joined(refusals: readonly StatusError[]): StatusError {
  const reasons = new Set(refusals.map(({ cause }) => cause).filter((cause) => typeof cause === 'string'));
  return reasons.size === 0 ? unauthorized() : refused([...reasons].join(', '));
}

/** Users with {@link ALL_AUTHENTICATED}, by the user without it: who caches by user finds the same object again. */
const completed = new WeakMap<UserInfo, UserInfo>();

function authenticated(user: UserInfo): UserInfo {
  const { name, groups } = user;
  if (name === anonymousUser.name || groups.includes(ALL_AUTHENTICATED) || groups.includes(ALL_UNAUTHENTICATED)) {
    return user;
  }
  const known = completed.get(user);
  if (known !== undefined) return known;
  const made = { ...user, groups: [...groups, ALL_AUTHENTICATED] };
  completed.set(user, made);
  return made;
}
