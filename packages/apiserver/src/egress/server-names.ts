import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Why a certificate does not name the host; undefined if it does. Only its alternative names count. Without them, Node.js would take its
 * common name. Upstream: Go's `x509.Certificate.VerifyHostname`.
 */
export function checkServerNames(host: string, certificate: PeerCertificate): Error | undefined {
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}
