import type { Authenticator } from './user.js';

/** Takes the user that a part of this process says it is. Belongs before all others. */
export const inProcessAuthenticator: Authenticator = {
  name: 'in-process',
  authenticate: ({ caller }) => caller,
};
