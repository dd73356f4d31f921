import { chooseLoops, ControllersError, type LoopFacts } from '@binnacle/controllers/table';
import { type Feature, FeatureGateError, resolveFeatureGates } from '@binnacle/apiserver/features';
import { parseIpPrefix } from '@binnacle/apimachinery/validation';
import type { StorageMediaType } from '@binnacle/apiserver/server';
import { isIP } from 'node:net';
import { defaultDataDirectory } from './data-directory.js';
import type { StartOptions } from './options.js';
import { StartError } from './start-error.js';

/** Options with the defaults filled in. */
export interface CheckedOptions extends StartOptions {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly serviceClusterIPRange: string;
  readonly serviceAccountIssuers: readonly [string, ...string[]];
  readonly storageMediaType: StorageMediaType;
  /** Absent = in memory. */
  readonly dataDirectory?: string;
  readonly loops: readonly LoopFacts[];
  readonly features: ReadonlySet<Feature>;
}

/** The smallest ranges with room for services. Upstream: kube-apiserver `cmd/kube-apiserver/app/options`. */
const longestPrefix = { 4: 30, 6: 126 } as const;

const MIB = 1024 * 1024;
const LEAST_MEMORY_BYTES = 128 * MIB;

const HOUR_MS = 60 * 60 * 1000;
const MAXIMUM_TOKEN_MS = 2 ** 32 * 1000;

/** Upstream requires an issuer; kubeadm sets this one. */
const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** Fills in defaults. Throws a `usage` error for every fault that shows without access to files or the network. */
export function checkOptions(options: StartOptions): CheckedOptions {
  const {
    bindAddress = '127.0.0.1',
    securePort = 0,
    serviceClusterIPRange = '10.0.0.0/24',
    inMemory = false,
  } = options;
  if (isIP(bindAddress) === 0) {
    throw usage(`--bind-address ${JSON.stringify(bindAddress)} is not an IP address`);
  }
  if (!Number.isInteger(securePort) || securePort < 0 || securePort > 65535) {
    throw usage(`--secure-port ${securePort} is not a port: give a number from 1 to 65535, or 0 for any free port`);
  }
  checkServiceRange(serviceClusterIPRange);
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    throw usage('--tls-cert-file and --tls-private-key-file must be given together');
  }
  checkTimes(options);
  checkMemory(options);
  checkEtcd(options);
  checkServiceAccounts(options);
  if (inMemory && options.dataDirectory !== undefined) {
    throw usage('--in-memory and --data-dir cannot be combined');
  }
  const { dataDirectory = defaultDataDirectory(), ...rest } = options;
  const [issuer = DEFAULT_ISSUER, ...otherIssuers] = options.serviceAccountIssuers ?? [];
  if (dataDirectory === '') throw usage('--data-dir is empty');
  return {
    ...rest,
    ...(inMemory ? {} : { dataDirectory }),
    bindAddress,
    securePort,
    serviceClusterIPRange,
    serviceAccountIssuers: [issuer, ...otherIssuers],
    storageMediaType: checkedMediaType(options),
    loops: checkedLoops(options.controllers),
    features: checkedFeatures(options.featureGates),
  };
}

/**
 * Upstream also supports YAML, and kube-apiserver defaults to protobuf.
 * Upstream: `--storage-media-type` of apiserver `pkg/server/options`.
 */
function checkedMediaType({ storageMediaType: wanted, etcdServers }: StartOptions): StorageMediaType {
  switch (wanted) {
    case undefined:
      return etcdServers === undefined ? 'application/json' : 'application/vnd.kubernetes.protobuf';
    case 'application/json':
    case 'application/vnd.kubernetes.protobuf':
      return wanted;
    default:
      throw usage(
        `--storage-media-type ${JSON.stringify(wanted)}: give application/json or application/vnd.kubernetes.protobuf`,
      );
  }
}

function checkedFeatures(text: string | undefined): ReadonlySet<Feature> {
  try {
    return resolveFeatureGates(text);
  } catch (error) {
    if (!(error instanceof FeatureGateError)) throw error;
    throw usage(`invalid argument ${JSON.stringify(text)} for "--feature-gates" flag: ${error.message}`);
  }
}

function checkedLoops(controllers = '*'): readonly LoopFacts[] {
  try {
    return chooseLoops(controllers);
  } catch (error) {
    if (error instanceof ControllersError) throw usage(error.message);
    throw error;
  }
}

/** Upstream reads a negative time to live as a very long one. Upstream: `pkg/controlplane/apiserver/options`. */
function checkTimes({
  historyRetentionMs = 0,
  eventTtlMs = 0,
  minRequestTimeoutSeconds = 0,
  shutdownDelayMs = 0,
}: StartOptions): void {
  if (!(historyRetentionMs >= 0)) throw usage('--history-retention must not be negative; 0 keeps all history');
  if (!(shutdownDelayMs >= 0)) throw usage('--shutdown-delay-duration must not be negative');
  if (eventTtlMs !== 0 && !(eventTtlMs >= 1000)) {
    throw usage('--event-ttl must be a second or more; 0 keeps events forever');
  }
  if (!Number.isSafeInteger(minRequestTimeoutSeconds) || minRequestTimeoutSeconds < 0) {
    throw usage(`--min-request-timeout ${minRequestTimeoutSeconds} is not a number of seconds: give 0 or more`);
  }
}

function checkMemory({ maxMemoryBytes = LEAST_MEMORY_BYTES }: StartOptions): void {
  if (maxMemoryBytes >= LEAST_MEMORY_BYTES && Number.isSafeInteger(maxMemoryBytes)) return;
  throw usage(`--max-memory must be ${LEAST_MEMORY_BYTES / MIB}Mi or more; the server needs that much`);
}

function checkEtcd({
  etcdServers,
  etcdCertFile,
  etcdKeyFile,
  etcdUsername,
  etcdPasswordFile,
  etcdCompactionIntervalMs = 0,
  inMemory,
}: StartOptions): void {
  if (etcdServers !== undefined && inMemory === true) throw usage('--etcd-servers and --in-memory cannot be combined');
  if (etcdServers?.split(',').some((server) => server.trim() === '') === true) {
    throw usage(
      `--etcd-servers ${JSON.stringify(etcdServers)} is not a list of addresses, such as https://10.0.0.5:2379`,
    );
  }
  if ((etcdCertFile === undefined) !== (etcdKeyFile === undefined)) {
    throw usage('--etcd-certfile and --etcd-keyfile must be given together');
  }
  if ((etcdUsername === undefined) !== (etcdPasswordFile === undefined)) {
    throw usage('--etcd-username and --etcd-password-file must be given together');
  }
  if (etcdUsername === '') throw usage('--etcd-username is empty');
  if (!(etcdCompactionIntervalMs >= 0)) throw usage('--etcd-compaction-interval must not be negative; 0 turns it off');
}

/** Upstream: kubernetes `pkg/kubeapiserver/options/authentication.go`. */
function checkServiceAccounts({
  serviceAccountIssuers = [],
  serviceAccountJwksUri,
  serviceAccountMaxTokenExpirationMs: maximum = 0,
  apiAudiences,
}: StartOptions): void {
  for (const issuer of serviceAccountIssuers) {
    if (issuer === '') throw usage('--service-account-issuer is empty');
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      throw usage(`--service-account-issuer ${JSON.stringify(issuer)} contains a colon but is not a URL`);
    }
  }
  if (new Set(serviceAccountIssuers).size < serviceAccountIssuers.length) {
    throw usage('--service-account-issuer is given twice with the same value');
  }
  if (serviceAccountJwksUri !== undefined && !serviceAccountJwksUri.startsWith('https:')) {
    throw usage(`--service-account-jwks-uri ${JSON.stringify(serviceAccountJwksUri)} is not an https URL`);
  }
  if (maximum !== 0 && !(maximum >= HOUR_MS && maximum <= MAXIMUM_TOKEN_MS)) {
    throw usage('--service-account-max-token-expiration must be between 1 hour and 2^32 seconds; 0 sets no limit');
  }
  if (apiAudiences?.split(',').some((audience) => audience.trim() === '') === true) {
    throw usage(`--api-audiences ${JSON.stringify(apiAudiences)} holds an empty audience`);
  }
}

function checkServiceRange(text: string): void {
  const ranges = text.split(',');
  const prefixes = ranges.map((range) => parseIpPrefix(range.trim()));
  const families = prefixes.map((prefix) => prefix?.address.family);
  if (prefixes.some((prefix) => prefix === undefined || prefix.length > longestPrefix[prefix.address.family])) {
    throw usage(
      `--service-cluster-ip-range ${JSON.stringify(text)} is not a CIDR with room for services, such as 10.0.0.0/24`,
    );
  }
  if (families.length > 2 || (families.length === 2 && families[0] === families[1])) {
    throw usage(
      `--service-cluster-ip-range ${JSON.stringify(text)} may hold one range, or one IPv4 and one IPv6 range`,
    );
  }
}

function usage(message: string): StartError {
  return new StartError('usage', message);
}
