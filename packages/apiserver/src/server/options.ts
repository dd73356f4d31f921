import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { Log } from '@binnacle/apimachinery/logging';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KV } from '@binnacle/kv';
import type { AdmissionConfiguration } from '../admissionconfiguration/index.js';
import type { ProxyIdentity } from '../aggregation/index.js';
import type { AuditSettings } from '../audit/index.js';
import type { StartTracing } from '../tracing/index.js';
import type { RemoteServiceConfig } from '../webhooks/index.js';
import type { RequestHeaderOptions, TokenEntry, UserInfo } from '../authentication/index.js';
import type { AbacPolicy, AuthorizationAttributes, Decision } from '../authorization/index.js';
import type { StorageMediaType } from '../codec/index.js';
import type { Encryption } from '../encryption/index.js';
import type { Faults } from '../faults/index.js';
import type { StartFork } from '../forks/index.js';
import type { Feature } from '../features/index.js';
import type { HealthCheck } from '../health/index.js';
import type { ConnectionSource, InProcessServer, ServerTls } from '../http/index.js';
import type { AuthenticationRules } from '../oidc/index.js';
import type { AuthorizerRule } from '../reviewwebhooks/index.js';
import type { TokenKeys } from '../serviceaccounts/index.js';
import type { PartialKubeletOptions } from './kubelet-options.js';
import type { EndpointReconciler } from './upkeep/advertise-address.js';
import type { ValueRetention } from './value-retention.js';

/** The options of the API server. It uses the store and does not close it. */
export interface ServerOptions {
  readonly bindAddress: string;
  /** 0 = any free port. */
  readonly securePort: number;
  /** The authorities of front proxies are in `frontProxies`. */
  readonly tls: Omit<ServerTls, 'proxyCertificateAuthorities'>;
  readonly tokens: readonly TokenEntry[];
  /** PEM: how the server proves to extension API servers that it may name users to them. Default: it cannot. */
  readonly proxyClient?: ProxyIdentity | undefined;
  /** The front proxies that may name users to this server. Default: none. */
  readonly frontProxies?: FrontProxyOptions | undefined;
  readonly serviceAccounts: ServiceAccountOptions;
  /** Further ways in which clients prove who they are. Default: none, and requests without credentials are anonymous. */
  readonly authentication?: AuthenticationOptions | undefined;
  /** Who decides what clients may do. Default: Node and RBAC. */
  readonly authorization?: AuthorizationOptions | undefined;
  readonly kv: KV;
  /**
   * Whether `kv` is a fork of the store of a server that has started. Then this server is ready before it writes anything
   * or reads a whole collection, and it stores missing objects soon after. Default: false.
   */
  readonly isFork?: boolean | undefined;
  /** Starts another server over a fork of `kv`, for `/binnacle/v1/forks`. Default: the path does not exist. */
  readonly startFork?: StartFork | undefined;
  /** Encrypts stored objects. The caller disposes of it after the server has stopped. Default: they are stored unencrypted. */
  readonly encryption?: Pick<Encryption, 'storeOf' | 'healthChecks'> | undefined;
  /** The prefix of every key, with its final slash. Default: `/registry/`. */
  readonly storagePrefix?: string | undefined;
  /** The encoding of stored objects; the server reads both. Default: JSON, the form that is served. */
  readonly storageMediaType?: StorageMediaType | undefined;
  /** The address of the `kubernetes` service's endpoints. Default: the bound one, or the machine's first; none on loopback. */
  readonly advertiseAddress?: string | undefined;
  /**
   * How the server maintains the endpoints of the `kubernetes` service. Default: `lease`, shared with other servers on the
   * same store.
   */
  readonly endpointReconciler?: EndpointReconciler | undefined;
  /** One range, or an IPv4 and an IPv6 range separated by a comma. */
  readonly serviceClusterIpRange: string;
  /** Like `--runtime-config`. */
  readonly runtimeConfig?: string | undefined;
  /** The features that are enabled. Default: those of an empty `--feature-gates`. */
  readonly features?: ReadonlySet<Feature> | undefined;
  /** How long history stays readable, in milliseconds; 0 = forever. Default: five minutes. */
  readonly historyRetentionMs?: number | undefined;
  /** The resources whose former values are forgotten before their history. Needs a store in this process. Default: none. */
  readonly valueRetentions?: readonly ValueRetention[] | undefined;
  /** Whole seconds after which events are deleted; 0 = never. Default: an hour. */
  readonly eventTtlSeconds?: number | undefined;
  /**
   * The minimum duration of a watch without a timeout, in seconds; it ends at a random time within twice that. 0 = no
   * limit. Default: 1800.
   */
  readonly minRequestTimeoutSeconds?: number | undefined;
  /** How long a start may take before `/livez` fails because it has not ended, in milliseconds. Default: 0. */
  readonly livezGraceMs?: number | undefined;
  /** How long `stop` keeps serving requests while the server reports unready, in milliseconds. Default: 0. */
  readonly shutdownDelayMs?: number | undefined;
  /** Whether the server answers 429 to new requests while it ends others, instead of closing its port. Default: false. */
  readonly shutdownSendsRetryAfter?: boolean | undefined;
  /** The time over which a stop spreads the ends of watches, in milliseconds. Default: 0, all at once. */
  readonly shutdownWatchGraceMs?: number | undefined;
  /** Whether reads use the watch caches; otherwise every read goes to the store. Default: true. */
  readonly watchCache?: boolean | undefined;
  /** Whether pods may have privileged containers. Default: true. */
  readonly allowPrivileged?: boolean | undefined;
  /** Whether requests wait in fair queues, by the stored flow schemas and priority levels. Default: true. */
  readonly priorityAndFairness?: boolean | undefined;
  /**
   * The maximum number of requests served at a time: those that only read, and those that write. Watches and other
   * long-running requests do not count. With `priorityAndFairness`, the sum of both limits must be positive and is divided
   * among priority levels; otherwise 0 = no limit. Default: 400 and 200.
   */
  readonly maxRequestsInFlight?: number | undefined;
  readonly maxMutatingRequestsInFlight?: number | undefined;
  /**
   * The memory limit of the process, in bytes. Default: most of its cgroup's limit, or half of the machine's memory.
   */
  readonly maxMemoryBytes?: number | undefined;
  /** Comma-separated names of admission plugins to enable or disable, relative to the defaults. */
  readonly enableAdmissionPlugins?: string | undefined;
  readonly disableAdmissionPlugins?: string | undefined;
  /** The configuration of admission plugins. Default: upstream's defaults. */
  readonly admissionConfiguration?: AdmissionConfiguration | undefined;
  /** For extension API servers: authenticates further tokens, and authorizes requests in place of the stored roles. */
  readonly delegation?: Delegation | undefined;
  /** Which requests are recorded, and where. The server closes the log. Default: none. */
  readonly audit?: AuditSettings | undefined;
  /** Opens the tracer that gives requests spans. The server closes it. Default: none. */
  readonly tracing?: StartTracing | undefined;
  /** How to find and trust kubelets. Default: upstream's, without a client certificate and without verification. */
  readonly kubelets?: PartialKubeletOptions | undefined;
  /** CIDRs that the server never calls, besides link-local and metadata addresses. Default: none. */
  readonly egressDenyCidrs?: readonly string[] | undefined;
  /**
   * Returns the local address at which this machine serves the address of a pod; undefined: connect to that address
   * itself. Default: always undefined.
   */
  readonly localAddress?: ((address: string) => string | undefined) | undefined;
  /** Whether services are called at their endpoints, if they have any, and not at their cluster IPs. Default: true. */
  readonly aggregatorRouting?: boolean | undefined;
  /** Whether clients may choose HTTP/2. Default: true. */
  readonly servesHttp2?: boolean | undefined;
  /** Whether `/debug/pprof/` makes profiles of the process. Default: true. */
  readonly servesProfiles?: boolean | undefined;
  /** Fault injection, for tests. Default: none, and requests cannot enable it. */
  readonly faults?: Faults | undefined;
  /** The source of time. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Chooses names, UIDs, service addresses and ports, and spreads delays. Default: the machine's. */
  readonly random?: Random | undefined;
  /**
   * Where connections come from if the server does not listen itself; `none`: only `send` reaches it. `securePort` is then the
   * port to which clients connect. Default: it listens.
   */
  readonly connections?: ConnectionSource | 'none' | undefined;
  /**
   * Whether a server in another process of this machine has the same store and does the work that only one server does:
   * it stores the objects that every cluster has, compacts history and repairs addresses. Default: false.
   */
  readonly isWorker?: boolean | undefined;
  /**
   * How many processes are one server: they divide the memory limit, and those that are workers, all but one, the limits
   * of requests. Default: 1.
   */
  readonly processes?: number | undefined;
  /** Returns the metrics of all processes of this server at `/metrics` or another path. Default: this process is the only one. */
  readonly allMetrics?: ((path: string) => Promise<string>) | undefined;
  /** Further checks of `/healthz`; `/livez` and `/readyz` do not run them. Default: none. */
  readonly healthChecks?: readonly Pick<HealthCheck, 'name' | 'check'>[] | undefined;
  /** The metrics of `/metrics`, to which the caller may add. Default: only those of the server. */
  readonly metrics?: MetricRegistry | undefined;
  /** Where requests and failures are logged. Default: text on standard error. */
  readonly log?: Log | undefined;
  /** The flags of the program and their values, for `/flagz`. Default: there is no such page. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
  /** Called once for every failure that a client saw as 500. Default: a line in the log. */
  readonly report?: ((error: unknown, path: string) => void) | undefined;
}

/** Further ways in which clients prove who they are. */
export interface AuthenticationOptions {
  /** Whether requests without credentials are anonymous; otherwise they get 401. Default: true. */
  readonly anonymous?: boolean | undefined;
  /** Whether bootstrap tokens are accepted. Default: false. */
  readonly bootstrapTokens?: boolean | undefined;
  /** The service that knows further tokens. Default: none. */
  readonly tokenWebhook?: TokenWebhook | undefined;
  /**
   * Returns the issuers whose tokens are accepted, and the paths that allow anonymous requests. Must return the same
   * object until they change. Default: no issuers, and `anonymous` applies to all paths.
   */
  readonly rules?: (() => AuthenticationRules) | undefined;
}

/** A webhook that answers TokenReviews. */
export interface TokenWebhook {
  readonly service: RemoteServiceConfig;
  /** The API version of the reviews that it gets. */
  readonly version: 'v1' | 'v1beta1';
  /** How long its answers are cached, in milliseconds; 0 = not at all. */
  readonly cacheMs: number;
}

/** Who decides what clients may do, besides the group `system:masters`, which may do everything. */
export interface AuthorizationOptions {
  /** Returns the authorizers, in order. Must return the same array until they change. Default: Node and RBAC. */
  readonly authorizers?: (() => readonly AuthorizerRule[]) | undefined;
  /** The policies of ABAC. Default: none. */
  readonly policies?: readonly AbacPolicy[] | undefined;
}

/** Another server that authenticates users and authorizes their requests. */
export interface Delegation {
  /** The user of a bearer token; undefined if the token is unknown. */
  userOf(token: string): Promise<UserInfo | undefined>;
  authorize(attributes: AuthorizationAttributes): Promise<Decision>;
}

/**
 * The front proxies that may name users in headers, and the names of those headers. Published for extension API servers,
 * which trust the same proxies.
 */
export interface FrontProxyOptions extends RequestHeaderOptions {
  /** PEM. */
  readonly authorities: readonly string[];
}

/** How service account tokens are issued and verified. */
export interface ServiceAccountOptions {
  /** Loads the keys. Called when the first token needs them. */
  readonly keys: () => Promise<TokenKeys>;
  /** The issuers of tokens, as URLs: new tokens name the first, and tokens of all are accepted. */
  readonly issuers: readonly [string, ...string[]];
  /** The audiences of tokens for this server. Default: the issuers. */
  readonly apiAudiences?: readonly string[] | undefined;
  /** The URL at which other services find the public keys. Default: one on this server. */
  readonly jwksUri?: string | undefined;
  /** The longest lifetime of a token, in seconds. Default: no limit. */
  readonly maximumTokenSeconds?: number | undefined;
  /** Whether pod tokens that kubelets request for an hour are valid for a year. Default: true. */
  readonly extendsTokenExpiration?: boolean | undefined;
  /** Whether a token stored in a Secret becomes invalid when the Secret is deleted. Default: true. */
  readonly looksUpSecrets?: boolean | undefined;
}

export interface RunningServer {
  readonly port: number;
  /** Sends a request from within the process, without a socket, as the user that the request names. */
  readonly send: InProcessServer['send'];
  /** Reports unready, and settles after the shutdown delay; until then the server serves as before. Idempotent. */
  announceStop(): Promise<void>;
  /**
   * Shows other certificates to new connections, and trusts other authorities of clients and of front proxies (PEM) for new requests.
   * Throws, and changes nothing, when they cannot be used.
   */
  renew(tls: ServerOptions['tls'], proxyAuthorities: readonly string[]): void;
  /** The metrics of this process at `/metrics` or another path of metrics, in Prometheus' text format. */
  metrics(path: string): Promise<string>;
  /** Announces the stop, then stops accepting connections, lets requests finish and ends watches. Idempotent. */
  stop(): Promise<void>;
}
