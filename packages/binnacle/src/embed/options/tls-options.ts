/** How connections are encrypted. */
export interface TlsStartOptions {
  /** Certificates for clients that ask for a name: `certificate,key` or `certificate,key:name,*.name`, with PEM files. */
  readonly tlsSniCertKeys?: readonly string[] | undefined;
  /** The lowest version of TLS: `VersionTLS12` or `VersionTLS13`. Default: `VersionTLS12`. */
  readonly tlsMinVersion?: string | undefined;
  /** The cipher suites of TLS 1.2 by their IANA names. Default: those of Node.js. */
  readonly tlsCipherSuites?: readonly string[] | undefined;
}

/** The files of a certificate, and the names to which it is shown. No names: those of the certificate. */
export interface NamedFiles {
  readonly certificate: string;
  readonly privateKey: string;
  readonly names: readonly string[];
}

/** Parses one value of `--tls-sni-cert-key`. Throws an Error in upstream's words. Upstream: component-base `cli/flag/namedcertkey_flag.go`. */
export function parseNamedFiles(value: string): NamedFiles {
  const colon = value.indexOf(':');
  const names = colon < 0 ? [] : listOf(value.slice(colon + 1));
  if (colon >= 0 && value.slice(colon + 1).trim() === '') throw new Error('empty names list is not allowed');
  const [certificate, privateKey, ...others] = listOf(colon < 0 ? value : value.slice(0, colon));
  if (certificate === undefined || privateKey === undefined || others.length > 0) {
    throw new Error('expected comma separated certificate and key file paths');
  }
  return { certificate, privateKey, names };
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
