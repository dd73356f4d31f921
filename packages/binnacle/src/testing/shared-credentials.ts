import { makeCredentials, type ServerCredentials } from '../embed/index.js';

let made: Promise<ServerCredentials> | undefined;

/** The same for all servers of this process that clients reach at these hosts and no others. */
export function sharedCredentials(hosts: readonly string[]): Promise<ServerCredentials> {
  made ??= makeCredentials({
    hosts,
    directory: undefined,
    serviceAccounts: { signingKey: undefined, verificationKeys: [] },
  });
  return made;
}
