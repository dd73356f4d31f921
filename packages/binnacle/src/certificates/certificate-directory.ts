import type { CertificatePair } from '@binnacle/client/certificates';
import { join } from 'node:path';
import { ensurePrivateDirectory, readTextIfPresent, writePrivateFile } from '../files/index.js';
import { type CertificateSet, completeCertificateSet } from './certificate-set.js';

/** File names without their endings, `.crt` and `.key`. Upstream: kubeadm's `/etc/kubernetes/pki`. */
const fileNames = {
  authority: 'ca',
  serving: 'apiserver',
  admin: 'admin',
  kubeletClient: 'apiserver-kubelet-client',
  frontProxyAuthority: 'front-proxy-ca',
  frontProxy: 'front-proxy-client',
} as const;
const roles = ['authority', 'serving', 'admin', 'kubeletClient', 'frontProxyAuthority', 'frontProxy'] as const;

/**
 * Loads the certificates of a directory, and replaces those that are missing, expire soon, or do not cover all `hosts`.
 * Two processes must not do this in one directory at the same time. Rejects with the system error when the directory
 * cannot be read or written; the files are then unchanged.
 */
export async function loadCertificates(
  directory: string,
  hosts: readonly string[],
  now: number,
): Promise<CertificateSet> {
  await ensurePrivateDirectory(directory);
  const present: Partial<Record<Role, CertificatePair>> = {};
  const read = async (role: Role): Promise<void> => {
    const pair = await readPair(directory, role);
    if (pair !== undefined) present[role] = pair;
  };
  await Promise.all(roles.map(read));
  const complete = await completeCertificateSet(present, hosts, now);
  for (const role of roles) {
    if (complete[role] !== present[role]) await writePair(directory, role, complete[role]);
  }
  return complete;
}

type Role = (typeof roles)[number];

async function readPair(directory: string, role: Role): Promise<CertificatePair | undefined> {
  const [certificate, privateKey] = await Promise.all([
    readTextIfPresent(join(directory, `${fileNames[role]}.crt`)),
    readTextIfPresent(join(directory, `${fileNames[role]}.key`)),
  ]);
  return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
}

/** A crash between the two writes leaves a pair that does not match; the next start replaces it. */
async function writePair(directory: string, role: Role, pair: CertificatePair): Promise<void> {
  await writePrivateFile(join(directory, `${fileNames[role]}.key`), pair.privateKey);
  await writePrivateFile(join(directory, `${fileNames[role]}.crt`), pair.certificate);
}
