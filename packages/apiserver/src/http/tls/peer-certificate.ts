import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { certificateBlocks } from '@binnacle/apimachinery/certificaterequests';
import {
  childrenOf,
  COMMON_NAME,
  DerError,
  elementsOf,
  type NameAttribute,
  nameOf,
  ORGANIZATION,
  SEQUENCE,
} from '@binnacle/apimachinery/der';
import type { ValidityPeriod } from '../../authentication/index.js';
import type { PeerCertificate } from '../../request/index.js';
import { type Certificate, readCertificate } from './certificate.js';
import { type Chain, chainsOf } from './certificate-chain.js';

/** Facts about the peer from the TLS handshake. */
export interface Peer {
  readonly certificate: PeerCertificate | undefined;
  readonly certificateError: string | undefined;
  /** The certificate, if it has a chain to an authority of front proxies. */
  readonly proxyCertificate: PeerCertificate | undefined;
  readonly address: string;
}

/** Upstream's attribute for the uid of a user in a certificate's subject. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';
/** The tag of the first part in certificates of version 2 and 3. */
const VERSION = 0xa0;
/** Its index among the parts after the version. */
const SUBJECT = 4;

/** Parses the client certificate authorities from PEM. Throws if one cannot be parsed. */
export function readAuthorities(texts: readonly string[]): Certificate[] {
  return texts.flatMap(certificateBlocks).map((block) => readCertificate(new X509Certificate(block)));
}

/** Those whose certificates name users, and those whose certificates name front proxies. */
export interface Authorities {
  readonly clients: readonly Certificate[];
  readonly proxies: readonly Certificate[];
}

/** What {@link followPeer} reads of a socket. */
type PeerSocket = Pick<TLSSocket, 'authorized' | 'getPeerX509Certificate'>;

/**
 * The peer of a finished handshake, for each request. A connection may outlive the trust in an authority, so the certificate is judged
 * again when the authorities have changed. Upstream: `x509.NewDynamic`.
 */
export function followPeer(socket: PeerSocket, address: string, authorities: () => Authorities): () => Peer {
  let judged = authorities();
  let peer = peerOf(socket, address, judged, socket.authorized);
  const hasCertificate = peer.certificate !== undefined || peer.certificateError !== undefined;
  return () => {
    const current = authorities();
    if (current === judged || !hasCertificate) return peer;
    judged = current;
    // OpenSSL has judged by the authorities of the handshake.
    peer = peerOf(socket, address, current, false);
    // A socket that is closed no longer knows its certificate. That does not make its requests anonymous.
    if (peer.certificateError === undefined && peer.certificate === undefined)
      peer = { ...peer, certificateError: UNKNOWN };
    return peer;
  };
}

const UNKNOWN = 'x509: certificate signed by unknown authority';

/**
 * Only a certificate with a chain to an authority counts. This code builds the chains itself, because OpenSSL refuses key usages that
 * upstream accepts, and tries only one of several chains.
 */
function peerOf(
  socket: Pick<PeerSocket, 'getPeerX509Certificate'>,
  address: string,
  { clients, proxies }: Authorities,
  isAuthorized: boolean,
): Peer {
  const presented = socket.getPeerX509Certificate();
  const nothing = { certificate: undefined, certificateError: undefined, proxyCertificate: undefined };
  if (presented === undefined) return { ...nothing, address };
  try {
    const sent = sentWith(presented).map(readCertificate);
    const certificate = certificateOf(isAuthorized, presented, sent, clients);
    return {
      certificate,
      certificateError: certificate === undefined ? UNKNOWN : undefined,
      proxyCertificate: certificateOf(isAuthorized, presented, sent, proxies),
      address,
    };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return { ...nothing, certificateError: `x509: malformed certificate: ${error.message}`, address };
  }
}

function certificateOf(
  isAuthorized: boolean,
  presented: X509Certificate,
  [leaf, ...others]: readonly Certificate[],
  authorities: readonly Certificate[],
): PeerCertificate | undefined {
  if (leaf === undefined || authorities.length === 0) return undefined;
  const found = chainsOf(leaf, others, authorities);
  // Only OpenSSL checks name constraints.
  const chains = found.filter((chain) => isAuthorized || !chain.some(({ limitsNames }) => limitsNames));
  if (chains.length === 0) return undefined;
  const sha256 = presented.fingerprint256.replaceAll(':', '').toLowerCase();
  return { ...readIdentity(presented.raw), validity: chains.map(validityOf), sha256 };
}

/** All certificates that a client sent, in its order, its own first. */
function sentWith(presented: X509Certificate): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let next: X509Certificate | undefined = presented; next !== undefined; next = next.issuerCertificate) {
    sent.push(next);
  }
  return sent;
}

type Identity = Pick<PeerCertificate, 'commonName' | 'organizations' | 'uid'>;

/** The subject of a certificate, parsed as strictly as in certificate requests. Throws {@link DerError}. */
export function readIdentity(certificate: Buffer): Identity {
  const [toBeSigned] = childrenOf(elementsOf(certificate)[0], SEQUENCE);
  const parts = childrenOf(toBeSigned, SEQUENCE).filter(({ tag }) => tag !== VERSION);
  const subject = nameOf(parts[SUBJECT]);
  const uids = valuesOf(subject, UID_ATTRIBUTE);
  if (uids.length > 1 || uids[0] === '') throw new DerError('the subject must carry at most one uid, not empty');
  return {
    commonName: valuesOf(subject, COMMON_NAME).at(-1) ?? '',
    organizations: valuesOf(subject, ORGANIZATION),
    ...(uids[0] === undefined ? {} : { uid: uids[0] }),
  };
}

function valuesOf(name: readonly NameAttribute[], wanted: string): string[] {
  return name.filter(({ type }) => type === wanted).map(({ value }) => value);
}

/** The period in which all certificates of a chain are valid. */
function validityOf(chain: Chain): ValidityPeriod {
  return {
    notBefore: Math.max(...chain.map(({ notBefore }) => notBefore)),
    notAfter: Math.min(...chain.map(({ notAfter }) => notAfter)),
  };
}
