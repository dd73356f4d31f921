import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { readAuthorities } from './peer-certificate.js';

/** PEM. */
export interface NamedCertificate {
  readonly names: readonly string[];
  readonly certificate: string;
  readonly privateKey: string;
}

/** The certificates of a server, and the authorities that it trusts. All PEM. */
export interface ServerTls {
  readonly certificate: string;
  readonly privateKey: string;
  /** Without any authority, the server requests no client certificate. */
  readonly clientCertificateAuthorities: readonly string[];
  /** Those that sign the certificates of front proxies. Default: none. */
  readonly proxyCertificateAuthorities?: readonly string[];
  /** Default: TLS 1.2. */
  readonly minimumVersion?: 'TLSv1.2' | 'TLSv1.3' | undefined;
  /** OpenSSL's list of cipher suites. Default: that of Node.js. */
  readonly ciphers?: string | undefined;
  /** Certificates for clients that ask for one of these names, such as `a.example` or `*.example`. Default: none. */
  readonly named?: readonly NamedCertificate[] | undefined;
}

/** The authorities that verify the certificates of clients. */
export function trustOf({ clientCertificateAuthorities, proxyCertificateAuthorities = [] }: ServerTls) {
  return {
    clients: readAuthorities(clientCertificateAuthorities),
    proxies: readAuthorities(proxyCertificateAuthorities),
  };
}

export function namedContexts(tls: ServerTls): ReadonlyMap<string, SecureContext> {
  const contexts = (tls.named ?? []).flatMap((each) => {
    const context = createSecureContext(contextOf(tls, each));
    return each.names.map((name) => [name, context] as const);
  });
  return new Map(contexts);
}

/** An exact name wins over a wildcard, which matches one label. Undefined selects the default certificate. */
export function contextFor(name: string, contexts: ReadonlyMap<string, SecureContext>): SecureContext | undefined {
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
}

/** Without any, the server requests no client certificate. */
export function authoritiesOf({ clientCertificateAuthorities, proxyCertificateAuthorities = [] }: ServerTls): string[] {
  return [...clientCertificateAuthorities, ...proxyCertificateAuthorities];
}

/** The TLS options of connections with this certificate. */
export function contextOf(
  tls: ServerTls,
  { certificate, privateKey }: Omit<NamedCertificate, 'names'>,
): SecureContextOptions {
  const { minimumVersion = 'TLSv1.2', ciphers } = tls;
  const authorities = authoritiesOf(tls);
  return {
    cert: certificate,
    key: privateKey,
    ...(authorities.length === 0 ? {} : { ca: authorities }),
    ...(ciphers === undefined ? {} : { ciphers }),
    // A resumed session has the result of an earlier handshake without its certificates.
    // Renegotiation costs as much as a handshake and cannot change the peer. Go refuses it too.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    minVersion: minimumVersion,
  };
}
