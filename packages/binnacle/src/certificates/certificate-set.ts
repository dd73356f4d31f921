import {
  type CertificatePair,
  createIssuer,
  type Issuer,
  isValidAuthority,
  isValidLeaf,
  issuerOf,
} from '@binnacle/client/certificates';

export interface CertificateSet {
  /** Signs the next two. Clients trust it, and the server trusts it for client certificates. */
  readonly authority: CertificatePair;
  /** The server's certificate. */
  readonly serving: CertificatePair;
  /** A client certificate of the group `system:masters`, which grants every right. */
  readonly admin: CertificatePair;
  /** Signs the certificates of front proxies, and no other: whoever has one may name any user. */
  readonly frontProxyAuthority: CertificatePair;
  /** The server's client certificate for extension API servers. */
  readonly frontProxy: CertificatePair;
}

/** The common name and the group of the administrator's certificate. Upstream: kubeadm's admin.conf before 1.29. */
const administrator = { commonName: 'kubernetes-admin', organization: 'system:masters' } as const;

/** The common name of the front proxy's certificate. Upstream: kubeadm `app/phases/certs`. */
export const frontProxyName = 'front-proxy-client';

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
  return {
    ...(await completeServerCertificates(present, hosts, now)),
    ...(await completeFrontProxy(present, now)),
  };
}

type ServerCertificates = Pick<CertificateSet, 'authority' | 'serving' | 'admin'>;
type FrontProxyCertificates = Pick<CertificateSet, 'frontProxyAuthority' | 'frontProxy'>;

async function completeServerCertificates(
  present: Partial<ServerCertificates>,
  hosts: readonly string[],
  now: number,
): Promise<ServerCertificates> {
  const sound = {
    authority: isValidAuthority(present.authority, now) ? present.authority : undefined,
    serving: isValidLeaf(present.serving, present.authority, now, hosts) ? present.serving : undefined,
    admin: isValidLeaf(present.admin, present.authority, now, []) ? present.admin : undefined,
  };
  if (sound.authority !== undefined && sound.serving !== undefined && sound.admin !== undefined) {
    return { authority: sound.authority, serving: sound.serving, admin: sound.admin };
  }
  const issuer = await issuerWith(sound.authority, 'binnacle-ca', now);
  const keep = sound.authority !== undefined;
  return {
    authority: issuer.authority,
    serving: (keep ? sound.serving : undefined) ?? issuer.issueServing('kube-apiserver', hosts),
    admin: (keep ? sound.admin : undefined) ?? issuer.issueClient(administrator),
  };
}

async function completeFrontProxy(
  present: Partial<FrontProxyCertificates>,
  now: number,
): Promise<FrontProxyCertificates> {
  const { frontProxyAuthority, frontProxy } = present;
  const authority = isValidAuthority(frontProxyAuthority, now) ? frontProxyAuthority : undefined;
  const sound = isValidLeaf(frontProxy, authority, now, []) ? frontProxy : undefined;
  if (authority !== undefined && sound !== undefined) return { frontProxyAuthority: authority, frontProxy: sound };
  const issuer = await issuerWith(authority, 'binnacle-front-proxy-ca', now);
  return { frontProxyAuthority: issuer.authority, frontProxy: issuer.issueClient({ commonName: frontProxyName }) };
}

/** The issuer of this authority, or of a new one with this name. */
function issuerWith(authority: CertificatePair | undefined, name: string, now: number): Promise<Issuer> {
  return authority === undefined ? createIssuer(name, now) : issuerOf(authority, now);
}
