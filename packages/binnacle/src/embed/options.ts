import type { Faults } from '@binnacle/apiserver/faults';

/** How to start. All values are checked before anything is opened; names and meanings are kube-apiserver's where it has them. */
export interface StartOptions {
  /** IP address to listen on; default 127.0.0.1. */
  readonly bindAddress?: string;
  /** Default 0: any free port. */
  readonly securePort?: number;
  /** Keep everything in memory; nothing is written to disk, and nothing is left after the end. */
  readonly inMemory?: boolean;
  /** Where objects, certificates and the kubeconfig are kept; default {@link defaultDataDirectory}. Not with `inMemory`. */
  readonly dataDirectory?: string;
  /** Keep objects in this etcd, its members joined by commas, instead of in the data directory. Not with `inMemory`. */
  readonly etcdServers?: string;
  /** What all keys in that etcd begin with, so that several clusters can share it. Default: `/registry`. */
  readonly etcdPrefix?: string;
  /**
   * In which encoding objects are stored: `application/json` or `application/vnd.kubernetes.protobuf`. Both are read, whatever is written, so
   * that it can be changed at any start: what is stored stays as it is until it is written again. Custom resources and definitions of
   * APIs are always in JSON. Default: protobuf in etcd, as kube-apiserver has it; JSON elsewhere, which is served as it is.
   */
  readonly storageMediaType?: string;
  /** User of that etcd, where it asks for one, and the file that holds the password; together. */
  readonly etcdUsername?: string;
  readonly etcdPasswordFile?: string;
  /** PEM files: what etcd's certificate is checked against, and what this server shows etcd. */
  readonly etcdCAFile?: string;
  readonly etcdCertFile?: string;
  readonly etcdKeyFile?: string;
  /** Between two compactions of that etcd by all its API servers together, milliseconds; 0 = never. Default: five minutes. */
  readonly etcdCompactionIntervalMs?: number;
  /** Write the kubeconfig to this file, instead of to `kubeconfig` in the data directory. */
  readonly kubeconfigFile?: string;
  /** CSV file of static tokens: token, user, uid, "group1,group2". */
  readonly tokenAuthFile?: string;
  /** PEM file of authorities that are trusted for client certificates, beside Binnacle's own. */
  readonly clientCAFile?: string;
  /** PEM file of the certificate to serve with, followed by intermediate ones; default: one made by Binnacle's own authority. */
  readonly tlsCertFile?: string;
  /** PEM file of its key. */
  readonly tlsPrivateKeyFile?: string;
  /** PEM file of the private key that signs tokens of service accounts; default: one made at the first start. */
  readonly serviceAccountSigningKeyFile?: string;
  /** PEM files of further keys that tokens of service accounts may be signed with. */
  readonly serviceAccountKeyFiles?: readonly string[];
  /**
   * Who tokens of service accounts are from: the first is named in new ones, those of all are accepted. Default:
   * `https://kubernetes.default.svc.cluster.local`, as kubeadm has it.
   */
  readonly serviceAccountIssuers?: readonly string[];
  /** URL where others find the public keys of the issuer; default: on this server. */
  readonly serviceAccountJwksUri?: string;
  /** Tokens of service accounts last no longer, milliseconds, from an hour up; 0 = as long as is asked for. Default: 0. */
  readonly serviceAccountMaxTokenExpirationMs?: number;
  /** Whether tokens of pods are accepted for a year beyond what was asked for. Default: true. */
  readonly serviceAccountExtendTokenExpiration?: boolean;
  /** Whether tokens that are kept in secrets end with these. Default: true. */
  readonly serviceAccountLookup?: boolean;
  /** Whom tokens for this server are meant for, separated by commas; default: the issuers. */
  readonly apiAudiences?: string;
  /** CIDR that cluster IPs of services are taken from, or one for each family, separated by a comma; default 10.0.0.0/24. */
  readonly serviceClusterIPRange?: string;
  /** `api/all=true`, `group/version=false` and so on, separated by commas. */
  readonly runtimeConfig?: string;
  /** Features to turn on or off: `CBORServingAndStorage=true`, separated by commas. */
  readonly featureGates?: string;
  /** How long history can be watched from and listed at, milliseconds; 0 = for ever. Default: five minutes. */
  readonly historyRetentionMs?: number;
  /** How long events are kept, milliseconds, whole seconds of it; 0 = for ever. Default: an hour. */
  readonly eventTtlMs?: number;
  /** A watch without a timeout lasts so many seconds, or up to twice as many; 0 = until somebody ends it. Default: 1800. */
  readonly minRequestTimeoutSeconds?: number;
  /** How long requests are served after `stop`, while the server is not ready, milliseconds. Default: 0. */
  readonly shutdownDelayMs?: number;
  /** Answer reads out of memory where that is fresh enough; false asks the store each time. Default: true. */
  readonly watchCache?: boolean;
  /** What the process may take, bytes: requests for which no memory is left are answered 429. Default: most of what its cgroup has, else half of the machine. */
  readonly maxMemoryBytes?: number;
  /** Admission plugins to turn on beside those that are by default, separated by commas. */
  readonly enableAdmissionPlugins?: string;
  /** Admission plugins to turn off: `ServiceAccount` lets pods be created without one. */
  readonly disableAdmissionPlugins?: string;
  /** Let tests make things go wrong: {@link RunningBinnacle.faults}, and the same at `/debug/faults`. Default: false. */
  readonly faultInjection?: boolean;
  /**
   * Control loops to run, as kube-controller-manager's `--controllers`: names, `-name` for none of it, `*` for all, separated by commas; an empty
   * text runs none. They begin when the server is ready, and write as any client does: tests of what the server alone does turn them off. Of
   * servers that share an etcd one at a time runs them. Default: `*`.
   */
  readonly controllers?: string;
}

/** What a client needs to connect as administrator. */
export interface ClientConfig {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of what the server's certificate is checked against. */
  readonly certificateAuthority: string;
  /** PEM of a certificate of group `system:masters`, and of its key. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Bearer token of the same user, for clients that have no certificates. Made anew at every start and kept nowhere. */
  readonly token: string;
}

/** A server that is ready. Ends with `stop()`, or at the end of the block with `await using`. */
export interface RunningBinnacle extends AsyncDisposable {
  /** `https://host:port`, with an address that can be connected to, whatever the server is bound to. */
  readonly url: string;
  readonly port: number;
  /** Text of a kubeconfig for the administrator; holds all that it needs. */
  readonly kubeconfig: string;
  /** Where that text was written; absent when it was not. */
  readonly kubeconfigFile?: string;
  /** Absent when all is in memory. */
  readonly dataDirectory?: string;
  /** Where the objects are instead, when they are in etcd. */
  readonly etcdServers?: string;
  readonly clientConfig: ClientConfig;
  /** What goes wrong on purpose; absent without `faultInjection`. */
  readonly faults?: Faults;
  /** Ends watches, lets requests in flight finish, closes the store. Idempotent; all callers get the same promise. */
  stop(): Promise<void>;
}
