import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
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
import type { PeerCertificate } from './exchange.js';

/** What the TLS handshake told of the peer; the same for every request of a connection. */
export interface Peer {
  readonly certificate: PeerCertificate | undefined;
  readonly certificateError: string | undefined;
  readonly address: string;
}

/** Upstream's attribute for the uid of a user in a certificate's subject. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';
/** Present in certificates of version 2 and 3, before all other parts. */
const VERSION = 0xa0;
/** Of the parts behind the version. */
const SUBJECT = 4;

/** Reads the peer off a finished handshake. Only a certificate that TLS has verified against the client authorities counts. */
export function peerOf(socket: TLSSocket): Peer {
  const address = socket.remoteAddress ?? '';
  const presented = socket.getPeerX509Certificate();
  if (presented === undefined) return { certificate: undefined, certificateError: undefined, address };
  const refused = (certificateError: string): Peer => ({ certificate: undefined, certificateError, address });
  if (!socket.authorized) return refused(String(socket.authorizationError));
  try {
    const sha256 = presented.fingerprint256.replaceAll(':', '').toLowerCase();
    const validity = validityOf(socket.getPeerCertificate(true));
    const certificate = { ...readIdentity(presented.raw), ...validity, sha256 };
    return { certificate, certificateError: undefined, address };
  } catch (error) {
    if (error instanceof DerError) return refused(`x509: malformed certificate: ${error.message}`);
    throw error;
  }
}

type Identity = Pick<PeerCertificate, 'commonName' | 'organizations' | 'uid'>;

/** Who a certificate says its owner is, read as strictly as requests for certificates are. Throws {@link DerError}. */
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

/** When the certificate and all that vouch for it are valid together. An authority vouches for itself. */
function validityOf(certificate: DetailedPeerCertificate): { readonly notBefore: number; readonly notAfter: number } {
  const chain = new Set<DetailedPeerCertificate>();
  for (let next: DetailedPeerCertificate | undefined = certificate; next !== undefined && !chain.has(next); ) {
    chain.add(next);
    next = next.issuerCertificate as DetailedPeerCertificate | undefined;
  }
  const links = [...chain];
  return {
    notBefore: Math.max(...links.map(({ valid_from: from }) => Date.parse(from))),
    notAfter: Math.min(...links.map(({ valid_to: to }) => Date.parse(to))),
  };
}
