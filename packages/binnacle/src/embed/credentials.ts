import type { TokenKeys } from '@binnacle/apiserver/serviceaccounts';
import { randomBytes } from 'node:crypto';
import type { Clock } from '@binnacle/apimachinery/clock';
import { type CertificateSet, completeCertificateSet, loadCertificates } from '../certificates/index.js';
import type { InputFiles } from './input-files.js';
import { serviceAccountKeys } from './service-account-keys.js';

/** The server's certificates and keys, and the credentials that it accepts. */
export interface ServerCredentials {
  /** Its own: it signs with these, and proves its identity to kubelets and extension API servers. */
  readonly certificates: CertificateSet;
  /** The servers that it was forked from and whose credentials it accepts, the nearest first. */
  readonly parents?: readonly ForkedCredentials[];
  /** The keys for service account tokens. Called when the first token needs them. */
  readonly keys: () => Promise<TokenKeys>;
  /** The administrator's bearer token. */
  readonly token: string;
}

/** What a fork needs of its parent to accept the parent's credentials. */
export type ForkedCredentials = Pick<ServerCredentials, 'certificates' | 'token'>;

export interface CredentialSources {
  /** Names and addresses at which clients reach the server. */
  readonly hosts: readonly string[];
  /** The directory for certificates and keys. Undefined: they stay in memory. */
  readonly directory: string | undefined;
  /** The keys that the user provides. */
  readonly serviceAccounts: InputFiles['serviceAccounts'];
  readonly clock: Clock;
}

/** Loads existing credentials and generates missing ones. */
export async function makeCredentials({
  hosts,
  directory,
  serviceAccounts,
  clock,
}: CredentialSources): Promise<ServerCredentials> {
  // Both may need to generate keys, so they run concurrently.
  const [certificates, keys] = await Promise.all([
    directory === undefined
      ? completeCertificateSet({}, hosts, clock.now())
      : loadCertificates(directory, hosts, clock.now()),
    serviceAccountKeys(serviceAccounts, directory),
  ]);
  return { certificates, keys, token: randomBytes(24).toString('base64url') };
}

/**
 * Accepts what `parent` accepts. Whatever the fork signs and shows is its own, and the parent and those who trust the parent
 * refuse it: an administrator of a fork must not become one of its parent.
 */
export function sharedCredentials(parent: ServerCredentials, own: ServerCredentials): ServerCredentials {
  const both = async (): Promise<TokenKeys> => {
    const [{ signing, verification }, others] = await Promise.all([own.keys(), parent.keys()]);
    return { signing, verification: [...verification, ...others.verification] };
  };
  let keys: Promise<TokenKeys> | undefined;
  const parents = [{ certificates: parent.certificates, token: parent.token }, ...(parent.parents ?? [])];
  return { ...own, parents, keys: () => (keys ??= both()) };
}

/** The certificate that the server shows to clients, and the authority that they trust for it: clients of a parent need no other. */
export function servingCertificates({
  certificates,
  parents = [],
}: ServerCredentials): Pick<CertificateSet, 'serving' | 'authority'> {
  return parents.at(-1)?.certificates ?? certificates;
}
