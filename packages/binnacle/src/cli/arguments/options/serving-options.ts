import type { ServeOption } from '../serve-option.js';

/** Where and how the server listens, and how it stops. */
export const servingOptions: readonly ServeOption[] = [
  {
    name: 'bind-address',
    type: 'text',
    placeholder: 'IP',
    key: 'bindAddress',
    default: '127.0.0.1',
    description: 'IP address to listen on; 0.0.0.0 or :: listens on all',
  },
  {
    name: 'secure-port',
    type: 'port',
    placeholder: 'PORT',
    key: 'securePort',
    default: '6443',
    description: 'HTTPS port for HTTP/2 and HTTP/1.1; 0 picks a free port',
  },
  {
    name: 'advertise-address',
    type: 'text',
    placeholder: 'IP',
    key: 'advertiseAddress',
    default: 'the bind address, or the first of the machine',
    description: 'IP address that clients in the cluster use: that of the endpoints of the Service kubernetes',
  },
  {
    name: 'endpoint-reconciler-type',
    type: 'text',
    placeholder: 'TYPE',
    key: 'endpointReconcilerType',
    default: 'lease',
    description: 'who keeps these endpoints: lease, the servers on one etcd together; none, no server',
  },
  {
    name: 'tls-cert-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tlsCertFile',
    default: "a certificate issued by the server's own authority",
    description: 'PEM file of the serving certificate, followed by its intermediate certificates',
  },
  {
    name: 'tls-private-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tlsPrivateKeyFile',
    description: 'PEM file of the private key for --tls-cert-file',
  },
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
  {
    name: 'disable-http2-serving',
    type: 'switch',
    key: 'disableHttp2Serving',
    default: 'false',
    description: 'serve only HTTP/1.1',
  },
  {
    name: 'shutdown-delay-duration',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'shutdownDelayMs',
    default: '0s',
    description:
      'how long the server continues to serve after a stop signal, while /readyz fails, so that load balancers switch',
  },
  {
    name: 'shutdown-send-retry-after',
    type: 'switch',
    key: 'shutdownSendRetryAfter',
    default: 'false',
    description: 'answer new requests with 429 while requests in progress end, instead of closing the port first',
  },
  {
    name: 'shutdown-watch-termination-grace-period',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'shutdownWatchTerminationGracePeriodMs',
    default: '0s',
    description:
      'time over which the ends of watches are spread after a stop signal, so that clients do not all return at once',
  },
];
