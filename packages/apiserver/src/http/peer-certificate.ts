import type { TLSSocket } from 'node:tls';
import type { PeerCertificate } from './exchange.js';

/** What the TLS handshake told of the peer; the same for every request of a connection. */
export interface Peer {
  readonly certificate: PeerCertificate | undefined;
  readonly certificateError: string | undefined;
  readonly address: string;
}

/** Upstream's attribute for the uid of a user in a certificate's subject. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';

/** Reads the peer off a finished handshake. Only a certificate that TLS has verified against the client authorities counts. */
export function peerOf(socket: TLSSocket): Peer {
  const address = socket.remoteAddress ?? '';
  const presented = socket.getPeerX509Certificate();
  if (presented === undefined) return { certificate: undefined, certificateError: undefined, address };
  if (!socket.authorized) {
    return { certificate: undefined, certificateError: String(socket.authorizationError), address };
  }
  const { subject, fingerprint256 } = socket.getPeerCertificate();
  const attributes: Readonly<Record<string, unknown>> = { ...subject };
  const uid = values(attributes[UID_ATTRIBUTE]);
  if (uid.length > 1 || uid[0] === '') {
    return { certificate: undefined, certificateError: 'the subject must carry at most one uid, not empty', address };
  }
  return {
    certificate: {
      commonName: values(attributes['CN']).at(-1) ?? '',
      organizations: values(attributes['O']),
      ...(uid[0] === undefined ? {} : { uid: uid[0] }),
      sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    },
    certificateError: undefined,
    address,
  };
}

function values(attribute: unknown): string[] {
  if (typeof attribute === 'string') return [attribute];
  return Array.isArray(attribute) ? attribute.filter((value) => typeof value === 'string') : [];
}
