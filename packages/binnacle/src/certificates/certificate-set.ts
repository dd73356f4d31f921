import type { CertificatePair } from './certificate-pair.js';
import { isValidAuthority, isValidLeaf } from './check.js';

export interface CertificateSet {
  /** Signs the other two. Clients trust it, and the server trusts it for client certificates. */
  readonly authority: CertificatePair;
  /** The server's certificate. */
  readonly serving: CertificatePair;
  /** A client certificate of the group `system:masters`, which grants every right. */
  readonly admin: CertificatePair;
}

/** The common name and the group of the administrator's certificate. Upstream: kubeadm's admin.conf before 1.29. */
export const administrator = { commonName: 'kubernetes-admin', organization: 'system:masters' } as const;

/**
 * Completes a set: keeps the given certificates that are valid and generates the others.
 * @param hosts DNS names and IP addresses at which clients reach the server; `serving` covers each of them
 * @param now milliseconds since 1970
 */
export async function completeCertificateSet(
  present: Partial<CertificateSet>,
  hosts: readonly string[],
  now: number,
): Promise<CertificateSet> {
  const sound = {
    authority: isValidAuthority(present.authority, now) ? present.authority : undefined,
    serving: isValidLeaf(present.serving, present.authority, now, hosts) ? present.serving : undefined,
    admin: isValidLeaf(present.admin, present.authority, now, []) ? present.admin : undefined,
  };
  if (sound.authority !== undefined && sound.serving !== undefined && sound.admin !== undefined) {
    return { authority: sound.authority, serving: sound.serving, admin: sound.admin };
  }
  const { Issuer } = await import('./issuer.js');
  const issuer = sound.authority === undefined ? Issuer.create(now) : Issuer.load(sound.authority, now);
  const keep = sound.authority !== undefined;
  return {
    authority: issuer.authority,
    serving: (keep ? sound.serving : undefined) ?? issuer.issueServing(hosts),
    admin: (keep ? sound.admin : undefined) ?? issuer.issueClient(administrator),
  };
}
