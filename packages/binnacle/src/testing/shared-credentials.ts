import { systemClock } from '@binnacle/apimachinery/clock';
import { makeCredentials, type ServerCredentials } from '../embed/index.js';

let made: Promise<ServerCredentials> | undefined;

/** Credentials that all servers of this process with the same hosts share. */
export function sharedCredentials(hosts: readonly string[]): Promise<ServerCredentials> {
  made ??= makeCredentials({
    hosts,
    directory: undefined,
    serviceAccounts: { signingKey: undefined, verificationKeys: [] },
    clock: systemClock,
  });
  return made;
}
