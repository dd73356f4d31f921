import type { TokenKeys } from '@binnacle/apiserver/serviceaccounts';
import { randomBytes } from 'node:crypto';
import { type CertificateSet, completeCertificateSet, loadCertificates } from '../certificates/index.js';
import type { InputFiles } from './input-files.js';
import { serviceAccountKeys } from './service-account-keys.js';

/** What a server shows its clients, and what it takes from them as its administrator's and its own. */
export interface ServerCredentials {
  readonly certificates: CertificateSet;
  /** Of tokens of service accounts. Asked when the first token is. */
  readonly keys: () => Promise<TokenKeys>;
  /** The administrator's. */
  readonly token: string;
}

export interface CredentialSources {
  /** Names and addresses by which clients reach the server. */
  readonly hosts: readonly string[];
  /** Where certificates and keys are kept; undefined: nowhere. */
  readonly directory: string | undefined;
  /** The user's own keys. */
  readonly serviceAccounts: InputFiles['serviceAccounts'];
}

/** Loads what there is, and makes what is missing. */
export async function makeCredentials({
  hosts,
  directory,
  serviceAccounts,
}: CredentialSources): Promise<ServerCredentials> {
  // Both take their time when they have to be made; one does not wait for the other.
  const [certificates, keys] = await Promise.all([
    directory === undefined
      ? completeCertificateSet({}, hosts, Date.now())
      : loadCertificates(directory, hosts, Date.now()),
    serviceAccountKeys(serviceAccounts, directory),
  ]);
  return { certificates, keys, token: randomBytes(24).toString('base64url') };
}
