import type { Authenticator, Credentials } from '../../authentication/index.js';

/** An authenticator of bearer tokens that is made with the first token that reaches it. */
export function lazyTokenAuthenticator(name: string, make: () => Promise<Authenticator>): Authenticator {
  let made: Authenticator | undefined;
  let making: Promise<Authenticator> | undefined;
  const authenticateLater = async (credentials: Credentials) => {
    making ??= make();
    made = await making;
    return made.authenticate(credentials);
  };
  return {
    name,
    authenticate: (credentials) => {
      if (credentials.bearerToken === undefined) return undefined;
      return made === undefined ? authenticateLater(credentials) : made.authenticate(credentials);
    },
  };
}
