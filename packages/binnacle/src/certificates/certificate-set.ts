import {
  type CertificatePair,
  createIssuer,
  type Issuer,
  isValidAuthority,
  isValidLeaf,
  issuerOf,
} from '@binnacle/client/certificates';

export interface CertificateSet {
  /** Signs the next three. Clients trust it, and the server trusts it for client certificates. */
  readonly authority: CertificatePair;
  /** The server's certificate. */
  readonly serving: CertificatePair;
  /** A client certificate of the group `system:masters`, which grants every right. */
  readonly admin: CertificatePair;
  /** The server's client certificate for kubelets. */
  readonly kubeletClient: CertificatePair;
  /** Signs the certificates of front proxies, and no other: whoever has one may name any user. */
  readonly frontProxyAuthority: CertificatePair;
  /** The server's client certificate for extension API servers. */
  readonly frontProxy: CertificatePair;
}

/** The common name and the group of the administrator's certificate. Upstream: kubeadm's admin.conf before 1.29. */
const administrator = { commonName: 'kubernetes-admin', organization: 'system:masters' } as const;

/**
 * The common name of the certificate for kubelets. Unlike kubeadm's it has no group of administrators, because the address of
 * a node may lead to any server, and to this one. Upstream: kubeadm `app/constants`.
 */
export const kubeletClientName = 'kube-apiserver-kubelet-client';

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

type ServerCertificates = Pick<CertificateSet, 'authority' | 'serving' | 'admin' | 'kubeletClient'>;
type FrontProxyCertificates = Pick<CertificateSet, 'frontProxyAuthority' | 'frontProxy'>;

async function completeServerCertificates(
  present: Partial<ServerCertificates>,
  hosts: readonly string[],
  now: number,
): Promise<ServerCertificates> {
  const { authority, serving, admin, kubeletClient } = present;
  const keep = isValidAuthority(authority, now);
  const sound = {
    serving: keep && isValidLeaf(serving, authority, now, hosts) ? serving : undefined,
    admin: keep && isValidLeaf(admin, authority, now, []) ? admin : undefined,
    kubeletClient: keep && isValidLeaf(kubeletClient, authority, now, []) ? kubeletClient : undefined,
  };
  const issuer = lazily(() => issuerWith(keep ? authority : undefined, 'binnacle-ca', now));
  return {
    authority: keep && authority !== undefined ? authority : (await issuer()).authority,
    serving: sound.serving ?? (await issuer()).issueServing('kube-apiserver', hosts),
    admin: sound.admin ?? (await issuer()).issueClient(administrator),
    kubeletClient: sound.kubeletClient ?? (await issuer()).issueClient({ commonName: kubeletClientName }),
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
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
