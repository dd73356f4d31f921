import { featureGates } from '@binnacle/apiserver/features';
import { loops } from '@binnacle/controllers/table';
import type { StartOptions } from '../../embed/index.js';
import { loadBalancerIPRangeDescription } from './controller-manager-request.js';
import { auditOptions } from './audit-options.js';
import { authenticationOptions } from './authentication-options.js';
import { authorizationOptions } from './authorization-options.js';
import { encryptionOptions } from './encryption-options.js';
import { loggingOptions } from './logging-options.js';
import { loopOptions } from './loop-options.js';
import { tlsOptions } from './tls-options.js';

type KeyOf<T> = { [K in keyof StartOptions]-?: StartOptions[K] extends T | undefined ? K : never }[keyof StartOptions];

interface OptionText {
  /** Without the dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** The default in words or as a user types it; absent = none. */
  readonly default?: string;
  /** One sentence without a full stop. */
  readonly description: string;
}

/** One option of `binnacle serve`: its usage, and its field of {@link StartOptions}. */
export type ServeOption = OptionText &
  (
    | { readonly type: 'text'; readonly placeholder: string; readonly key: KeyOf<string> }
    /** May be repeated. */
    | { readonly type: 'texts'; readonly placeholder: string; readonly key: KeyOf<readonly string[]> }
    | { readonly type: 'port'; readonly placeholder: string; readonly key: KeyOf<number> }
    | { readonly type: 'seconds'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** Written like Go's, `1h30m`; stored in milliseconds. */
    | { readonly type: 'duration'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** Written as a quantity, `512Mi`; stored in bytes. */
    | { readonly type: 'bytes'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** Times a second, or times at once: 1 or more. */
    | { readonly type: 'rate'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** 0 or more, such as 0.1. */
    | { readonly type: 'decimal'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** From 0 to 1. */
    | { readonly type: 'share'; readonly placeholder: string; readonly key: KeyOf<number> }
    /** A whole number, 0 or more. */
    | { readonly type: 'count'; readonly placeholder: string; readonly key: KeyOf<number> }
    | { readonly type: 'switch'; readonly key: KeyOf<boolean> }
  );

export const dataDirectoryDefault = '$XDG_DATA_HOME/binnacle, or ~/.local/share/binnacle';

/**
 * Names and meanings are kube-apiserver's where it has such a flag. Only Binnacle has `data-dir`, `in-memory`,
 * `write-kubeconfig`, `process-nodes`, `history-retention`, `max-memory`, `etcd-username`, `etcd-password-file`, `egress-deny-cidrs` and `fault-injection`.
 */
export const serveOptions: readonly ServeOption[] = [
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
    name: 'data-dir',
    type: 'text',
    placeholder: 'DIR',
    key: 'dataDirectory',
    default: dataDirectoryDefault,
    description:
      'directory for objects, certificates and the kubeconfig; created when absent, used by one server at a time',
  },
  {
    name: 'in-memory',
    type: 'switch',
    key: 'inMemory',
    default: 'false',
    description: 'keep everything in memory and lose it when the server stops',
  },
  {
    name: 'write-kubeconfig',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeconfigFile',
    default: 'kubeconfig in the data directory',
    description: 'file to write the administrator kubeconfig to',
  },
  {
    name: 'token-auth-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'tokenAuthFile',
    description: 'CSV file of static tokens: token,user,uid,"group1,group2"',
  },
  ...authenticationOptions,
  ...authorizationOptions,
  {
    name: 'client-ca-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'clientCAFile',
    description: "PEM file of authorities trusted for client certificates, in addition to the server's own",
  },
  {
    name: 'proxy-client-cert-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'proxyClientCertFile',
    default: "a certificate issued by the server's own front-proxy authority",
    description: 'PEM file of the client certificate with which this server calls extension API servers',
  },
  {
    name: 'proxy-client-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'proxyClientKeyFile',
    description: 'PEM file of the private key for --proxy-client-cert-file',
  },
  {
    name: 'kubelet-client-certificate',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletClientCertificate',
    default: "a certificate issued by the server's own authority",
    description: 'PEM file of the client certificate with which this server calls kubelets',
  },
  {
    name: 'kubelet-client-key',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletClientKey',
    description: 'PEM file of the private key for --kubelet-client-certificate',
  },
  {
    name: 'kubelet-certificate-authority',
    type: 'text',
    placeholder: 'FILE',
    key: 'kubeletCertificateAuthority',
    description: "PEM file of the authorities that sign kubelets' certificates; without it, these are not verified",
  },
  {
    name: 'kubelet-preferred-address-types',
    type: 'texts',
    placeholder: 'LIST',
    key: 'kubeletPreferredAddressTypes',
    default: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    description: 'types of node addresses at which to call kubelets, in order of preference; separated by commas',
  },
  {
    name: 'kubelet-port',
    type: 'port',
    placeholder: 'PORT',
    key: 'kubeletPort',
    default: '10250',
    description: 'port of a kubelet whose node reports none',
  },
  {
    name: 'kubelet-timeout',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'kubeletTimeoutMs',
    default: '5s',
    description: 'how long connecting to a kubelet may take',
  },
  {
    name: 'requestheader-client-ca-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'requestheaderClientCAFile',
    default: "the server's own front-proxy authority, unless --proxy-client-cert-file is given",
    description: 'PEM file of the authorities of front proxies, which may name any user in request headers',
  },
  {
    name: 'requestheader-allowed-names',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderAllowedNames',
    description:
      'common names of front proxies, separated by commas; without any, all certificates of those authorities count',
  },
  {
    name: 'requestheader-username-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderUsernameHeaders',
    description: 'headers in which a front proxy names the user, such as X-Remote-User; separated by commas',
  },
  {
    name: 'requestheader-uid-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderUidHeaders',
    description: 'headers in which a front proxy gives the UID of the user, such as X-Remote-Uid; separated by commas',
  },
  {
    name: 'requestheader-group-headers',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderGroupHeaders',
    description:
      'headers in which a front proxy names the groups of the user, such as X-Remote-Group; separated by commas',
  },
  {
    name: 'requestheader-extra-headers-prefix',
    type: 'texts',
    placeholder: 'LIST',
    key: 'requestheaderExtraHeadersPrefix',
    description: 'prefixes of headers with further facts about the user, such as X-Remote-Extra-; separated by commas',
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
  ...tlsOptions,
  {
    name: 'service-account-signing-key-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'serviceAccountSigningKeyFile',
    default: 'a key generated on first start',
    description: 'PEM file of the private key that signs service account tokens',
  },
  {
    name: 'service-account-key-file',
    type: 'texts',
    placeholder: 'FILE',
    key: 'serviceAccountKeyFiles',
    description: 'PEM file of further keys that verify service account tokens; repeat the option for several files',
  },
  {
    name: 'service-account-issuer',
    type: 'texts',
    placeholder: 'URL',
    key: 'serviceAccountIssuers',
    default: 'https://kubernetes.default.svc.cluster.local',
    description: 'issuer of service account tokens; repeat the option to accept tokens of further issuers',
  },
  {
    name: 'service-account-jwks-uri',
    type: 'text',
    placeholder: 'URL',
    key: 'serviceAccountJwksUri',
    default: '/openid/v1/jwks on this server',
    description: 'URL of the public keys, as the issuer document announces it',
  },
  {
    name: 'service-account-max-token-expiration',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'serviceAccountMaxTokenExpirationMs',
    default: '0',
    description: 'longest lifetime of a service account token, at least 1h; 0 sets no limit',
  },
  {
    name: 'service-account-extend-token-expiration',
    type: 'switch',
    key: 'serviceAccountExtendTokenExpiration',
    default: 'true',
    description: 'accept pod tokens for a year, so that clients that never reload them keep working',
  },
  {
    name: 'service-account-lookup',
    type: 'switch',
    key: 'serviceAccountLookup',
    default: 'true',
    description: 'reject a token without expiry when its Secret or its service account no longer exists',
  },
  {
    name: 'api-audiences',
    type: 'text',
    placeholder: 'LIST',
    key: 'apiAudiences',
    default: 'the issuers',
    description: 'audiences that a token must name to be accepted, separated by commas',
  },
  {
    name: 'service-cluster-ip-range',
    type: 'text',
    placeholder: 'CIDR',
    key: 'serviceClusterIPRange',
    default: '10.0.0.0/24',
    description: 'range of service cluster IPs; for dual stack, one IPv4 and one IPv6 range, separated by a comma',
  },
  {
    name: 'load-balancer-ip-range',
    type: 'text',
    placeholder: 'CIDR',
    key: 'loadBalancerIPRange',
    default: 'none: such services stay pending',
    description: loadBalancerIPRangeDescription,
  },
  ...loopOptions,
  {
    name: 'runtime-config',
    type: 'text',
    placeholder: 'LIST',
    key: 'runtimeConfig',
    description:
      'APIs to turn on or off: api/all|ga|beta|alpha, group/version or group/version/resource, each =true or =false; separated by commas',
  },
  {
    name: 'feature-gates',
    type: 'text',
    placeholder: 'LIST',
    key: 'featureGates',
    description: `features to turn on or off, each =true or =false, separated by commas; AllAlpha and AllBeta set a whole stage. Known: ${featureGates.map(({ name, stage, isOnByDefault }) => `${name} (${stage}, default ${isOnByDefault})`).join(', ')}`,
  },
  {
    name: 'enable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'enableAdmissionPlugins',
    description: 'admission plugins to turn on in addition to the default ones, separated by commas',
  },
  {
    name: 'disable-admission-plugins',
    type: 'text',
    placeholder: 'LIST',
    key: 'disableAdmissionPlugins',
    description: 'admission plugins to turn off, such as ServiceAccount, separated by commas',
  },
  {
    name: 'admission-control-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'admissionControlConfigFile',
    description:
      'file with an AdmissionConfiguration, which configures plugins such as PodSecurity, EventRateLimit and ImagePolicyWebhook',
  },
  ...auditOptions,
  ...encryptionOptions,
  ...loggingOptions,
  {
    name: 'history-retention',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'historyRetentionMs',
    default: '5m',
    description:
      'how long past revisions can be listed at and watched from; their space is reused afterwards; 0 keeps all history',
  },
  {
    name: 'max-memory',
    type: 'bytes',
    placeholder: 'BYTES',
    key: 'maxMemoryBytes',
    default: '80% of the memory limit, or half of the machine',
    description:
      'memory the process may use, such as 512Mi or 2Gi; a request that would exceed it gets 429, which clients retry. Node.js limits its heap separately (--max-old-space-size); the smaller limit applies',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'switch',
    key: 'enablePriorityAndFairness',
    default: 'true',
    description:
      'let requests wait in fair queues, as FlowSchemas and PriorityLevelConfigurations say; false only limits how many are served at a time',
  },
  {
    name: 'max-requests-inflight',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'maxRequestsInflight',
    default: '400',
    description:
      'added to --max-mutating-requests-inflight, the seats of all priority levels; without priority and fairness, the most requests that read at a time, 0 for no limit',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'maxMutatingRequestsInflight',
    default: '200',
    description:
      'added to --max-requests-inflight, the seats of all priority levels; without priority and fairness, the most requests that write at a time, 0 for no limit',
  },
  {
    name: 'event-ttl',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'eventTtlMs',
    default: '1h',
    description: 'how long Event objects are kept; 0 keeps them forever',
  },
  {
    name: 'min-request-timeout',
    type: 'seconds',
    placeholder: 'SECONDS',
    key: 'minRequestTimeoutSeconds',
    default: '1800',
    description:
      'shortest duration of a watch that names no timeout; it ends at a random time up to twice as long; 0 never ends it',
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
  {
    name: 'watch-cache',
    type: 'switch',
    key: 'watchCache',
    default: 'true',
    description: 'serve reads from memory when it is fresh enough; false reads the store every time',
  },
  {
    name: 'allow-privileged',
    type: 'switch',
    key: 'allowPrivileged',
    default: 'true',
    description:
      "allow privileged containers; kube-apiserver's default is false, and kubeadm, kind, k3s and envtest set true",
  },
  {
    name: 'storage-media-type',
    type: 'text',
    placeholder: 'TYPE',
    key: 'storageMediaType',
    default: 'application/vnd.kubernetes.protobuf with --etcd-servers, else application/json',
    description:
      'encoding of stored objects, one of these two; the server reads both, and re-encodes an object when it is next written',
  },
  {
    name: 'etcd-servers',
    type: 'text',
    placeholder: 'LIST',
    key: 'etcdServers',
    description: 'etcd members to store objects in, instead of the data directory; separated by commas',
  },
  {
    name: 'etcd-prefix',
    type: 'text',
    placeholder: 'PREFIX',
    key: 'etcdPrefix',
    default: '/registry',
    description: 'prefix of all keys in etcd; clusters with different prefixes can share one etcd',
  },
  {
    name: 'etcd-username',
    type: 'text',
    placeholder: 'NAME',
    key: 'etcdUsername',
    description: 'etcd user, together with --etcd-password-file; kube-apiserver has no such option',
  },
  {
    name: 'etcd-password-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdPasswordFile',
    description: 'file with the password of --etcd-username; a newline at the end is ignored',
  },
  {
    name: 'etcd-cafile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCAFile',
    description: 'PEM file of the authority that signs the certificates of etcd',
  },
  {
    name: 'etcd-certfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdCertFile',
    description: 'PEM file of the client certificate for etcd',
  },
  {
    name: 'etcd-keyfile',
    type: 'text',
    placeholder: 'FILE',
    key: 'etcdKeyFile',
    description: 'PEM file of the private key for --etcd-certfile',
  },
  {
    name: 'etcd-compaction-interval',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'etcdCompactionIntervalMs',
    default: '5m',
    description: 'how often the API servers that share an etcd compact it; 0 turns compaction off',
  },
  {
    name: 'enable-aggregator-routing',
    type: 'switch',
    key: 'enableAggregatorRouting',
    default: 'true',
    description:
      "call services of webhooks and APIServices at their endpoints, if they have any, and not at their cluster IPs; kube-apiserver's default is false, for hosts that route cluster IPs",
  },
  {
    name: 'disable-http2-serving',
    type: 'switch',
    key: 'disableHttp2Serving',
    default: 'false',
    description: 'serve only HTTP/1.1',
  },
  {
    name: 'egress-deny-cidrs',
    type: 'text',
    placeholder: 'LIST',
    key: 'egressDenyCidrs',
    description:
      'networks that the server never connects to for webhooks and extension API servers; CIDRs separated by commas. Link-local and cloud metadata addresses are always denied',
  },
  {
    name: 'fault-injection',
    type: 'switch',
    key: 'faultInjection',
    default: 'false',
    description:
      'for tests only: administrators can make requests fail, watches break and caches lag, at /debug/faults',
  },
  {
    name: 'scheduler',
    type: 'switch',
    key: 'scheduler',
    default: 'true, unless --controllers selects none',
    description: 'run a scheduler, which assigns pods to nodes',
  },
  {
    name: 'scheduler-config',
    type: 'text',
    placeholder: 'FILE',
    key: 'schedulerConfigFile',
    default: 'one profile with the default plugins',
    description: 'file with a KubeSchedulerConfiguration v1, as for --config of kube-scheduler',
  },
  {
    name: 'nodes',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'nodes',
    default: '0',
    description: 'run this many simulated nodes, whose pods run without containers; at most 5000',
  },
  {
    name: 'node-metrics',
    type: 'switch',
    key: 'nodeMetrics',
    default: 'true',
    description: 'serve the usage of simulated pods and nodes as metrics.k8s.io, unless another server does',
  },
  {
    name: 'process-nodes',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'processNodes',
    default: '0',
    description:
      'an experiment: run this many nodes whose containers are processes of this machine; at most 8, with --allow-processes and --image-command',
  },
  {
    name: 'allow-processes',
    type: 'switch',
    key: 'allowProcesses',
    default: 'false',
    description:
      'agree that everyone who may create pods runs the programs of --image-command as you, with arguments of their own and without isolation',
  },
  {
    name: 'image-command',
    type: 'texts',
    placeholder: 'IMAGE=COMMAND',
    key: 'imageCommands',
    description:
      'the program that process nodes run instead of an image, such as controller:latest=./bin/manager; repeat the option for several images',
  },
  {
    name: 'image-commands-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'imageCommandsFile',
    description: 'file with further programs of images, one IMAGE=COMMAND a line',
  },
  {
    name: 'controllers',
    type: 'text',
    placeholder: 'LIST',
    key: 'controllers',
    default: '*',
    description: `control loops to run, separated by commas: * for all, a name to add one, -name to leave one out; an empty list runs none. Known: ${loops.map(({ name }) => name).join(', ')}`,
  },
];

/** The default on the command line. Programs that call `start()` get a free port instead. */
export const defaultSecurePort = 6443;

/** One sentence without a full stop. */
export const doctorDescription =
  'explain what is wrong with a set-up: the machine, the options and their files, the port, the data directory, certificates and etcd; takes the options of serve';

/** The usage of an option: `--secure-port PORT`. */
export function optionUsage(option: ServeOption): string {
  const flag = option.short === undefined ? `--${option.name}` : `-${option.short}, --${option.name}`;
  return option.type === 'switch' ? flag : `${flag} ${option.placeholder}`;
}
