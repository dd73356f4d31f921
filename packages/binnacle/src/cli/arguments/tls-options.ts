/** How connections are encrypted. The names are kube-apiserver's. */
export const tlsOptions = [
  {
    name: 'tls-sni-cert-key',
    type: 'texts',
    placeholder: 'CERTIFICATE,KEY[:NAMES]',
    key: 'tlsSniCertKeys',
    description:
      'PEM files of a certificate and key for clients that ask for one of its names, or of the given ones, such as a.example,*.b.example; repeat the option for several certificates',
  },
  {
    name: 'tls-min-version',
    type: 'text',
    placeholder: 'VERSION',
    key: 'tlsMinVersion',
    default: 'VersionTLS12',
    description: 'lowest version of TLS that clients may use: VersionTLS12 or VersionTLS13',
  },
  {
    name: 'tls-cipher-suites',
    type: 'texts',
    placeholder: 'LIST',
    key: 'tlsCipherSuites',
    default: "node's",
    description: 'cipher suites of TLS 1.2 by the names of IANA, separated by commas; those of TLS 1.3 are always on',
  },
] as const;
