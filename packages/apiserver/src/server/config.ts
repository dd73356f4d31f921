import { resolveRuntimeConfig, type ServedSet, STORAGE_PREFIX } from '@binnacle/api/table';
import { type Clock, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { Log, textFormat } from '@binnacle/apimachinery/logging';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import {
  CBOR_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  type Serializer,
  SERIALIZERS,
  SERIALIZERS_WITH_CBOR,
} from '@binnacle/apimachinery/serializer';
import type { Retries } from '../admission/index.js';
import type { DocumentMediaType } from '../codec/index.js';
import { Egress } from '../egress/index.js';
import { type FeatureState, featureStates, resolveFeatureGates } from '../features/index.js';
import type { UserHeaders } from '../proxying/index.js';
import { type KubeletOptions, kubeletsWithDefaults } from './kubelet-options.js';
import type { AuthenticationOptions, ServerOptions, ServiceAccountOptions } from './options.js';
import { DEFAULT_RETENTION_MS } from './value-retention.js';

/** Every property is present. Only those of `O` may be undefined. */
type Complete<T, O extends keyof T = never> = {
  readonly [K in keyof T]-?: K extends O ? T[K] | undefined : Exclude<T[K], undefined>;
};

type Absent =
  | 'audit'
  | 'authorization'
  | 'delegation'
  | 'encryption'
  | 'proxyClient'
  | 'frontProxies'
  | 'maxMemoryBytes'
  | 'enableAdmissionPlugins'
  | 'disableAdmissionPlugins'
  | 'admissionConfiguration'
  | 'faults'
  | 'startFork'
  | 'tracing'
  | 'flags'
  | 'allMetrics'
  | 'connections'
  | 'advertiseAddress';

/** The options of a server with their defaults, and the facts that follow from them. */
export interface ServerConfig
  extends Omit<
    Complete<ServerOptions, Absent>,
    | 'runtimeConfig'
    | 'features'
    | 'serviceAccounts'
    | 'authentication'
    | 'egressDenyCidrs'
    | 'localAddress'
    | 'kubelets'
  > {
  readonly kubelets: KubeletOptions;
  /** The headers in which front proxies name users, in lower case. */
  readonly userHeaders: UserHeaders;
  readonly served: ServedSet;
  /** The addresses that the server may call. */
  readonly egress: Egress;
  readonly features: readonly FeatureState[];
  /** Whether there is `/statusz`. */
  readonly statusz: boolean;
  /** The media types of built-in resources. */
  /** Whether objects that no one can read can be deleted. */
  readonly unsafeDeletion: boolean;
  readonly serializers: readonly Serializer[];
  readonly customStorageMediaType: DocumentMediaType;
  /** The wall time of `clock`. */
  readonly now: () => number;
  readonly serviceAccounts: Complete<ServiceAccountOptions, 'jwksUri'>;
  readonly authentication: Complete<AuthenticationOptions, 'tokenWebhook' | 'rules'>;
  /** The pauses between the retries of admission, for tests. Absent: real pauses of `clock`. */
  readonly retries?: Retries;
}

/** Upstream: `--event-ttl`. */
const EVENT_TTL_SECONDS = 3600;
/** Upstream: `--min-request-timeout`. */
const MIN_REQUEST_TIMEOUT_SECONDS = 1800;
/** Upstream: `--max-requests-inflight`. */
const MAX_REQUESTS_IN_FLIGHT = 400;
/** Upstream: `--max-mutating-requests-inflight`. */
const MAX_MUTATING_REQUESTS_IN_FLIGHT = 200;

type StopOptions = Pick<ServerOptions, 'shutdownDelayMs' | 'shutdownSendsRetryAfter' | 'shutdownWatchGraceMs'>;

function stopOf({ shutdownDelayMs = 0, shutdownSendsRetryAfter = false, shutdownWatchGraceMs = 0 }: StopOptions) {
  return { shutdownDelayMs, shutdownSendsRetryAfter, shutdownWatchGraceMs };
}

type StorageOptions = Pick<ServerOptions, 'isFork' | 'startFork' | 'storagePrefix' | 'storageMediaType'>;

function storageOf({
  isFork = false,
  startFork,
  storagePrefix = STORAGE_PREFIX,
  storageMediaType = JSON_MEDIA_TYPE,
}: StorageOptions) {
  return { isFork, startFork, storagePrefix, storageMediaType };
}

/** The options without a default. Every configuration has these properties; one that is not given is undefined. */
function optionalOf(given: ServerOptions) {
  return {
    advertiseAddress: given.advertiseAddress,
    audit: given.audit,
    tracing: given.tracing,
    authorization: given.authorization,
    delegation: given.delegation,
    encryption: given.encryption,
    proxyClient: given.proxyClient,
    frontProxies: given.frontProxies,
    maxMemoryBytes: given.maxMemoryBytes,
    enableAdmissionPlugins: given.enableAdmissionPlugins,
    disableAdmissionPlugins: given.disableAdmissionPlugins,
    admissionConfiguration: given.admissionConfiguration,
    faults: given.faults,
    allMetrics: given.allMetrics,
    connections: given.connections,
  };
}

/** Fills in every default. Throws for a runtime configuration or a network that is invalid. */
export function completeOptions(options: ServerOptions): ServerConfig {
  const {
    runtimeConfig,
    features = resolveFeatureGates(''),
    serviceAccounts,
    authentication,
    egressDenyCidrs,
    localAddress,
    kubelets,
    ...given
  } = options;
  const { clock = systemClock, log = defaultLog(given.clock ?? systemClock) } = given;
  const cbor = features.has('CBORServingAndStorage');
  return {
    ...given,
    ...optionalOf(options),
    endpointReconciler: given.endpointReconciler ?? 'lease',
    ...storageOf(given),
    customStorageMediaType: cbor ? CBOR_MEDIA_TYPE : JSON_MEDIA_TYPE,
    served: resolveRuntimeConfig(runtimeConfig),
    egress: new Egress(egressDenyCidrs, localAddress),
    kubelets: kubeletsWithDefaults(kubelets),
    userHeaders: userHeadersOf(given.frontProxies),
    unsafeDeletion: features.has('AllowUnsafeMalformedObjectDeletion'),
    serializers: cbor ? SERIALIZERS_WITH_CBOR : SERIALIZERS,
    historyRetentionMs: given.historyRetentionMs ?? DEFAULT_RETENTION_MS,
    valueRetentions: given.valueRetentions ?? [],
    eventTtlSeconds: given.eventTtlSeconds ?? EVENT_TTL_SECONDS,
    minRequestTimeoutSeconds: given.minRequestTimeoutSeconds ?? MIN_REQUEST_TIMEOUT_SECONDS,
    livezGraceMs: given.livezGraceMs ?? 0,
    ...stopOf(given),
    watchCache: given.watchCache ?? true,
    allowPrivileged: given.allowPrivileged ?? true,
    aggregatorRouting: given.aggregatorRouting ?? true,
    servesHttp2: given.servesHttp2 ?? true,
    isWorker: given.isWorker ?? false,
    processes: given.processes ?? 1,
    servesProfiles: given.servesProfiles ?? true,
    priorityAndFairness: given.priorityAndFairness ?? true,
    maxRequestsInFlight: shareOf(given, given.maxRequestsInFlight ?? MAX_REQUESTS_IN_FLIGHT),
    maxMutatingRequestsInFlight: shareOf(given, given.maxMutatingRequestsInFlight ?? MAX_MUTATING_REQUESTS_IN_FLIGHT),
    features: featureStates(features),
    statusz: features.has('ComponentStatusz'),
    flags: features.has('ComponentFlagz') ? given.flags : undefined,
    healthChecks: given.healthChecks ?? [],
    metrics: given.metrics ?? new MetricRegistry(),
    clock,
    now: () => clock.now(),
    random: given.random ?? systemRandom,
    log,
    report: given.report ?? reportTo(log),
    authentication: authenticationWithDefaults(authentication),
    serviceAccounts: serviceAccountsWithDefaults(serviceAccounts),
  };
}

/** The share of a limit that one worker has. 0 remains 0. */
function shareOf({ isWorker = false, processes = 1 }: Pick<ServerOptions, 'isWorker' | 'processes'>, limit: number) {
  return isWorker ? Math.ceil(limit / Math.max(1, processes - 1)) : limit;
}

function authenticationWithDefaults(given: AuthenticationOptions = {}): ServerConfig['authentication'] {
  return {
    anonymous: given.anonymous ?? true,
    bootstrapTokens: given.bootstrapTokens ?? false,
    tokenWebhook: given.tokenWebhook,
    rules: given.rules,
  };
}

function serviceAccountsWithDefaults(given: ServiceAccountOptions): ServerConfig['serviceAccounts'] {
  return {
    keys: given.keys,
    issuers: given.issuers,
    apiAudiences: given.apiAudiences ?? given.issuers,
    jwksUri: given.jwksUri,
    maximumTokenSeconds: given.maximumTokenSeconds ?? 0,
    extendsTokenExpiration: given.extendsTokenExpiration ?? true,
    looksUpSecrets: given.looksUpSecrets ?? true,
  };
}

function userHeadersOf(frontProxies: ServerOptions['frontProxies']): UserHeaders {
  const { usernameHeaders = [], uidHeaders = [], groupHeaders = [], extraHeaderPrefixes = [] } = frontProxies ?? {};
  return {
    names: [usernameHeaders, uidHeaders, groupHeaders].flat().map((name) => name.toLowerCase()),
    prefixes: extraHeaderPrefixes.map((prefix) => prefix.toLowerCase()),
  };
}

/** Writes failures to standard error, as text. */
function defaultLog(clock: Clock): Log {
  const format = textFormat(process.pid);
  return new Log({ clock, format, verbosity: 0, write: (line) => process.stderr.write(line) });
}

/** A text is a message of the server's own work, and anything else the failure of a request. */
function reportTo(log: Log): ServerConfig['report'] {
  return (error, path) => {
    if (typeof error === 'string') {
      log.error('server', error, undefined, [['path', path]]);
      return;
    }
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    log.error('server', 'Request failed', error, [
      ['path', path],
      ['stack', stack],
    ]);
  };
}
