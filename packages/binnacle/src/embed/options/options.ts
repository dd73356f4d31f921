import type { Faults } from '@binnacle/apiserver/faults';
import type { AuditStartOptions } from './audit-options.js';
import type { AuthorizationStartOptions } from './authorization-options.js';
import type { LoggingStartOptions } from './logging-options.js';
import type { AuthenticationStartOptions } from './authentication-options.js';
import type { EncryptionStartOptions } from './encryption-options.js';
import type { TlsStartOptions } from './tls-options.js';

/** The options of a start. All values are checked before anything is opened. Names and meanings are kube-apiserver's where it has them. */
export interface StartOptions
  extends AuditStartOptions,
    AuthenticationStartOptions,
    AuthorizationStartOptions,
    EncryptionStartOptions,
    LoggingStartOptions,
    TlsStartOptions {
  /** IP address to listen on; default 127.0.0.1. */
  readonly bindAddress?: string | undefined;
  /** The address of the `kubernetes` service's endpoints, for clients in the cluster. Default: the bound one, or the machine's first. */
  readonly advertiseAddress?: string | undefined;
  /** `lease`: all servers on one etcd write these endpoints. `none`: no server does. Default: `lease`. */
  readonly endpointReconcilerType?: string | undefined;
  /** Default 0: any free port. */
  readonly securePort?: number | undefined;
  /** Keep everything in memory: nothing is written to disk, and nothing remains after the end. */
  readonly inMemory?: boolean | undefined;
  /** Where objects, certificates and the kubeconfig are kept; default {@link defaultDataDirectory}. Not with `inMemory`. */
  readonly dataDirectory?: string | undefined;
  /** Keep objects in this etcd, its members joined by commas, instead of in the data directory. Not with `inMemory`. */
  readonly etcdServers?: string | undefined;
  /** The prefix of all keys in that etcd, so that several clusters can share it. Default: `/registry`. */
  readonly etcdPrefix?: string | undefined;
  /**
   * The encoding of stored objects: `application/json` or `application/vnd.kubernetes.protobuf`. The server reads both, so the value can
   * change at any start; an object keeps its encoding until its next write. CustomResourceDefinitions are always JSON.
   * Custom resources are JSON, or CBOR with the feature gate CBORServingAndStorage.
   * Default: protobuf in etcd, like kube-apiserver; JSON in other stores, which serve it unchanged.
   */
  readonly storageMediaType?: string | undefined;
  /** The etcd user and the file with its password; give both or none. */
  readonly etcdUsername?: string | undefined;
  readonly etcdPasswordFile?: string | undefined;
  /** PEM files: the authority of etcd's certificates, and this server's client certificate and key. */
  readonly etcdCAFile?: string | undefined;
  readonly etcdCertFile?: string | undefined;
  readonly etcdKeyFile?: string | undefined;
  /** How often the API servers of that etcd compact it together, in milliseconds; 0 = never. Default: five minutes. */
  readonly etcdCompactionIntervalMs?: number | undefined;
  /** The flags of the program and their values, for `/flagz`. Default: there is no such page. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
  /** Write the kubeconfig to this file, instead of to `kubeconfig` in the data directory. */
  readonly kubeconfigFile?: string | undefined;
  /** CSV file of static tokens: token, user, uid, "group1,group2". */
  readonly tokenAuthFile?: string | undefined;
  /** PEM file of authorities trusted for client certificates, in addition to Binnacle's own. */
  readonly clientCAFile?: string | undefined;
  /** PEM files of the certificate and key with which the server proves to extension API servers that it may name users to them. */
  readonly proxyClientCertFile?: string | undefined;
  readonly proxyClientKeyFile?: string | undefined;
  /** PEM files of the certificate and key that the server shows to kubelets. Default: issued by Binnacle's own authority. */
  readonly kubeletClientCertificate?: string | undefined;
  readonly kubeletClientKey?: string | undefined;
  /** PEM file of the authorities that sign the certificates of kubelets. Default: these are not verified, as in upstream. */
  readonly kubeletCertificateAuthority?: string | undefined;
  /** The types of addresses of nodes, the preferred one first. Default: Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP. */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined;
  /** The port of kubelets whose nodes name none. Default: 10250. */
  readonly kubeletPort?: number | undefined;
  /** How long connecting to a kubelet may take, in milliseconds. Default: 5 seconds. */
  readonly kubeletTimeoutMs?: number | undefined;
  /**
   * PEM file of the authorities of front proxies, which may name users to this server in headers. Without this and without
   * `proxyClientCertFile`, the server uses certificates of its own.
   */
  readonly requestheaderClientCAFile?: string | undefined;
  /** Common names of front proxies; default: any that those authorities have signed. */
  readonly requestheaderAllowedNames?: readonly string[] | undefined;
  /** Headers that name the user, its uid and its groups, and prefixes of headers with its extra attributes. */
  readonly requestheaderUsernameHeaders?: readonly string[] | undefined;
  readonly requestheaderUidHeaders?: readonly string[] | undefined;
  readonly requestheaderGroupHeaders?: readonly string[] | undefined;
  readonly requestheaderExtraHeadersPrefix?: readonly string[] | undefined;
  /** PEM file of the serving certificate, followed by its intermediate certificates; default: one issued by Binnacle's own authority. */
  readonly tlsCertFile?: string | undefined;
  /** PEM file of its key. */
  readonly tlsPrivateKeyFile?: string | undefined;
  /** PEM file of the private key that signs service account tokens; default: one generated at the first start. */
  readonly serviceAccountSigningKeyFile?: string | undefined;
  /** PEM files of further keys that verify service account tokens. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined;
  /**
   * Issuers of service account tokens: new tokens name the first, and tokens of all are accepted. Default:
   * `https://kubernetes.default.svc.cluster.local`, as in kubeadm.
   */
  readonly serviceAccountIssuers?: readonly string[] | undefined;
  /** URL of the issuer's public keys; default: on this server. */
  readonly serviceAccountJwksUri?: string | undefined;
  /** Longest lifetime of a service account token, in milliseconds, at least an hour; 0 = no limit. Default: 0. */
  readonly serviceAccountMaxTokenExpirationMs?: number | undefined;
  /** Whether pod tokens are accepted for a year, so that clients that never reload them keep working. Default: true. */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
  /** Whether a token without expiry is rejected when its Secret no longer exists. Default: true. */
  readonly serviceAccountLookup?: boolean | undefined;
  /** Audiences that a token must name to be accepted, separated by commas; default: the issuers. */
  readonly apiAudiences?: string | undefined;
  /** Range of service cluster IPs, or one for each IP family, separated by a comma; default 10.0.0.0/24. */
  readonly serviceClusterIPRange?: string | undefined;
  /** `api/all=true`, `group/version=false` and so on, separated by commas. */
  readonly runtimeConfig?: string | undefined;
  /** Features to turn on or off: `CBORServingAndStorage=true`, separated by commas. */
  readonly featureGates?: string | undefined;
  /** How long past revisions can be listed at and watched from, in milliseconds; 0 = forever. Default: five minutes. */
  readonly historyRetentionMs?: number | undefined;
  /**
   * How long former values of a resource can be read, if not as long as the history: `secrets=0`, `leases.coordination.k8s.io=30m`. Each
   * text may have several, separated by commas. At least five minutes, because clients read such recent revisions. Needs a store in this process.
   */
  readonly historyRetentionFor?: readonly string[] | undefined;
  /** How long Event objects are kept, in milliseconds, in whole seconds; 0 = forever. Default: an hour. */
  readonly eventTtlMs?: number | undefined;
  /** A watch without a timeout ends after a random time between this many seconds and twice as many; 0 = never. Default: 1800. */
  readonly minRequestTimeoutSeconds?: number | undefined;
  /** How long `/livez` takes it for granted that the start will end, in milliseconds. Default: 0. */
  readonly livezGracePeriodMs?: number | undefined;
  /** How long the server continues to serve after `stop`, while `/readyz` fails, in milliseconds. Default: 0. */
  readonly shutdownDelayMs?: number | undefined;
  /** Whether the server answers 429 to new requests while it ends others, instead of closing its port. Default: false. */
  readonly shutdownSendRetryAfter?: boolean | undefined;
  /** The time over which a stop spreads the ends of watches, in milliseconds. Default: 0, all at once. */
  readonly shutdownWatchTerminationGracePeriodMs?: number | undefined;
  /** Serve reads from memory when it is fresh enough; false reads the store every time. Default: true. */
  readonly watchCache?: boolean | undefined;
  /** Allow privileged containers. Default: true; kube-apiserver's is false, and the common installers set true. */
  readonly allowPrivileged?: boolean | undefined;
  /**
   * How many processes serve requests. With 2 or more, `binnacle serve` starts as many workers, and this process owns the store
   * and runs the control loops. At most 64. In a program only 1. Default: 1, this process.
   */
  readonly workers?: number | undefined;
  /** Memory that the process may use, in bytes; a request that would exceed it gets 429. Default: 80 % of the memory limit, or half of the machine. */
  readonly maxMemoryBytes?: number | undefined;
  /** Let requests wait in fair queues, as FlowSchemas and PriorityLevelConfigurations say. Default: true. */
  readonly enablePriorityAndFairness?: boolean | undefined;
  /**
   * The most requests that read, and that write, at a time. With priority and fairness, priority levels share the sum,
   * which must be positive; otherwise 0 = no limit. Default: 400 and 200.
   */
  readonly maxRequestsInflight?: number | undefined;
  readonly maxMutatingRequestsInflight?: number | undefined;
  /** Addresses of simulated load balancers, CIDRs separated by commas. Default: none, and services of type LoadBalancer stay pending. */
  readonly loadBalancerIPRange?: string | undefined;
  /** How often control loops look for heartbeats of nodes, in milliseconds. Default: 5 seconds. */
  readonly nodeMonitorPeriodMs?: number | undefined;
  /** How long a node may send no heartbeat before its conditions become Unknown, in milliseconds. Default: 50 seconds. */
  readonly nodeMonitorGracePeriodMs?: number | undefined;
  /** The same for a node that has never reported its status, in milliseconds. Default: a minute. */
  readonly nodeStartupGracePeriodMs?: number | undefined;
  /** How many failed nodes of a zone have their pods evicted, per second. Default: 0.1. */
  readonly nodeEvictionRate?: number | undefined;
  /** The same for a large zone where many nodes have failed. Default: 0.01. */
  readonly secondaryNodeEvictionRate?: number | undefined;
  /** The share of failed nodes in a zone from which `secondaryNodeEvictionRate` applies, 0 to 1. Default: 0.55. */
  readonly unhealthyZoneThreshold?: number | undefined;
  /** Zones of up to this many nodes evict no pods while many of their nodes have failed. Default: 50. */
  readonly largeClusterSizeThreshold?: number | undefined;
  /** The average number of writes per second of each control loop, 1 or more. Default: 50. */
  readonly kubeApiQps?: number | undefined;
  /** The number of writes that each control loop may make at once after a pause, 1 or more. Default: 2000. */
  readonly kubeApiBurst?: number | undefined;
  /** How often each HorizontalPodAutoscaler looks at its metrics, in milliseconds. Default: 15 seconds. */
  readonly horizontalPodAutoscalerSyncPeriodMs?: number | undefined;
  /** How long an autoscaler does not go below a number of pods that it has recommended, in milliseconds. Default: 5 minutes. */
  readonly horizontalPodAutoscalerDownscaleStabilizationMs?: number | undefined;
  /** The share by which usage may differ from its target before the number of pods changes. Default: 0.1. */
  readonly horizontalPodAutoscalerTolerance?: number | undefined;
  /** The time after the start of a pod in which its CPU usage may be left out, in milliseconds. Default: 5 minutes. */
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs?: number | undefined;
  /** The time after the start of a pod in which it counts as becoming ready for the first time, in milliseconds. Default: 30 seconds. */
  readonly horizontalPodAutoscalerInitialReadinessDelayMs?: number | undefined;
  /** Pods that have ended and are kept; 0 keeps all. Default: 12500. */
  readonly terminatedPodGcThreshold?: number | undefined;
  /** Simulate the volumes of storage classes with the provisioner `kubernetes.io/host-path`. Default: false. */
  readonly enableHostPathProvisioner?: boolean | undefined;
  /** Give each node a range of addresses for its pods, out of `clusterCidr`. Default: false. */
  readonly allocateNodeCidrs?: boolean | undefined;
  /** The range of the addresses of pods; for dual stack one IPv4 and one IPv6 range, separated by a comma. */
  readonly clusterCidr?: string | undefined;
  /** The length of the prefix that each node gets out of a single range. Default: 24 for IPv4, 64 for IPv6. */
  readonly nodeCidrMaskSize?: number | undefined;
  /** The same for the IPv4 range. */
  readonly nodeCidrMaskSizeIPv4?: number | undefined;
  /** The same for the IPv6 range. */
  readonly nodeCidrMaskSizeIPv6?: number | undefined;
  /** PEM files of the authority that signs certificate requests, and of its key. Default: the server's own. */
  readonly clusterSigningCertFile?: string | undefined;
  readonly clusterSigningKeyFile?: string | undefined;
  /** How long signed certificates are valid, in milliseconds. Default: a year. */
  readonly clusterSigningDurationMs?: number | undefined;
  /** How long a generated token of a service account must be unused until it becomes invalid, in milliseconds. Default: a year. */
  readonly legacyTokenCleanUpPeriodMs?: number | undefined;
  /** Admission plugins to turn on in addition to the default ones, separated by commas. */
  readonly enableAdmissionPlugins?: string | undefined;
  /** File of the kind AdmissionConfiguration, with the configuration of the plugins. */
  readonly admissionControlConfigFile?: string | undefined;
  /** Admission plugins to turn off: `ServiceAccount` lets pods be created without one. */
  readonly disableAdmissionPlugins?: string | undefined;
  /** Networks that the server never connects to for webhooks and the like, CIDRs separated by commas, besides link-local and metadata addresses. */
  readonly egressDenyCidrs?: string | undefined;
  /** Call services at their endpoints, if they have any, and not at their cluster IPs. Default: true; kube-apiserver's is false. */
  readonly enableAggregatorRouting?: boolean | undefined;
  /** Serves only HTTP/1.1. Default: false. */
  readonly disableHttp2Serving?: boolean | undefined;
  /** Makes profiles of the process at `/debug/pprof/`. Default: true. */
  readonly profiling?: boolean | undefined;
  /** Allow fault injection, by {@link RunningBinnacle.faults} and at `/debug/faults`. For tests. Default: false. */
  readonly faultInjection?: boolean | undefined;
  /**
   * Control loops to run, like kube-controller-manager's `--controllers`: `*` for all, a name to add one, `-name` to leave one out, separated
   * by commas; an empty string runs none. They start when the server is ready and write as any client does. Of the servers that share an
   * etcd, one at a time runs them. Default: `*`.
   */
  readonly controllers?: string | undefined;
  /** Run a scheduler. Of the servers that share an etcd, one at a time runs it. Default: true, unless `controllers` selects none. */
  readonly scheduler?: boolean | undefined;
  /** File with the KubeSchedulerConfiguration of the scheduler. Default: one profile with the default plugins. */
  readonly schedulerConfigFile?: string | undefined;
  /**
   * The number of simulated nodes, at most 5000. They run no containers: pods start, end and fail by the clock. Of the servers
   * that share an etcd, one should run them. Default: 0.
   */
  readonly nodes?: number | undefined;
  /** Serve what the simulated pods and nodes use as `metrics.k8s.io`, unless another server does. Default: true. */
  readonly nodeMetrics?: boolean | undefined;
  /**
   * An experiment: nodes whose containers are processes of this machine, at most 8. It needs `allowProcesses` and `imageCommands`. Default: 0.
   */
  readonly processNodes?: number | undefined;
  /** Confirm that everyone who may create pods may run the programs of `imageCommands`, with arguments of their own. Default: false. */
  readonly allowProcesses?: boolean | undefined;
  /** The programs that process nodes run instead of images: `IMAGE=COMMAND` each, such as `controller:latest=./bin/manager`. */
  readonly imageCommands?: readonly string[] | undefined;
  /** File with further ones, one a line. */
  readonly imageCommandsFile?: string | undefined;
}

/** What a client needs to connect as administrator. */
export interface ClientConfig {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of the certificate authority. */
  readonly certificateAuthority: string;
  /** PEM of a certificate of group `system:masters`, and of its key. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /**
   * Bearer token of the same user, for clients without certificates. Each start generates a new one, in memory only.
   */
  readonly token: string;
}

/** A running server that is ready. `stop()`, or the end of an `await using` block, ends it. */
export interface RunningBinnacle extends AsyncDisposable {
  /** `https://host:port`, with a reachable address even when the server is bound to all addresses. */
  readonly url: string;
  readonly port: number;
  /** Text of a self-contained kubeconfig for the administrator. */
  readonly kubeconfig: string;
  /** The file with that text; absent when none was written. */
  readonly kubeconfigFile?: string | undefined;
  /** Absent for a server in memory. */
  readonly dataDirectory?: string | undefined;
  /** The etcd that holds the objects, when there is one. */
  readonly etcdServers?: string | undefined;
  readonly clientConfig: ClientConfig;
  /** Fault injection; absent without `faultInjection`. */
  readonly faults?: Faults | undefined;
  /**
   * Starts another server in this process with the same options, on a free port unless `securePort` names another. It begins
   * with all objects and the history of this one; later writes of either are invisible to the other. It copies no objects:
   * its own writes live in memory, and are lost when it stops. It writes no audit log, and has no nodes that run processes. Its
   * control loops start after its first write, or after ten seconds.
   * This server keeps its data directory locked until its forks have stopped. Rejects with a {@link StartError} over etcd.
   */
  fork(options?: ForkStartOptions): Promise<RunningBinnacle>;
  /** Ends watches, finishes requests in flight, closes the store. Idempotent; all callers get the same promise. */
  stop(): Promise<void>;
}

/** The options of a fork that differ from its parent's. */
export interface ForkStartOptions extends Pick<StartOptions, 'securePort' | 'kubeconfigFile'> {
  /** Begin with the objects as they were at this revision. Rejects with a `KVError` when history no longer has it. Default: now. */
  readonly revision?: number | undefined;
  /** Accept the tokens and certificates of the parent. Default: false, the fork makes its own. */
  readonly sharesCredentials?: boolean | undefined;
}
