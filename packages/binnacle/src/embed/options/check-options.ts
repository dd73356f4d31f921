import { parseIpPrefix } from '@binnacle/apimachinery/validation';
import { MOST_NODES, MOST_PROCESS_NODES } from '@binnacle/nodes/node/limits';
import { isIP } from 'node:net';
import { checkAudit } from './check-audit.js';
import { checkAuthorization } from './check-authorization.js';
import { checkAuthentication } from './check-authentication.js';
import { checkTls } from './check-tls.js';
import { checkLogging } from '../open-log.js';
import type { StartOptions } from './options.js';
import { separated } from './separated.js';
import { valueRetentionsOf } from './value-retentions.js';
import { usageError } from '../start-error.js';

/** The smallest ranges with room for services. Upstream: kube-apiserver `cmd/kube-apiserver/app/options`. */
const longestPrefix = { 4: 30, 6: 126 } as const;

const MIB = 1024 * 1024;
const LEAST_MEMORY_BYTES = 128 * MIB;

const MOST_WORKERS = 64;

const HOUR_MS = 60 * 60 * 1000;
const MAXIMUM_TOKEN_MS = 2 ** 32 * 1000;

interface OptionsWithAddresses extends StartOptions {
  readonly bindAddress: string;
  readonly securePort: number;
  readonly serviceClusterIPRange: string;
}

/** Throws a `usage` error for every fault that shows without access to files or the network. */
export function checkOptions(options: OptionsWithAddresses): void {
  const { bindAddress, securePort, inMemory = false, dataDirectory } = options;
  if (isIP(bindAddress) === 0) {
    throw usageError(`--bind-address ${JSON.stringify(bindAddress)} is not an IP address`);
  }
  if (!Number.isInteger(securePort) || securePort < 0 || securePort > 65535) {
    throw usageError(
      `--secure-port ${securePort} is not a port: give a number from 1 to 65535, or 0 for any free port`,
    );
  }
  checkAdvertised(options);
  checkServiceRange(options.serviceClusterIPRange);
  checkNetworks('--egress-deny-cidrs', options.egressDenyCidrs, '10.0.0.0/8');
  checkNetworks('--load-balancer-ip-range', options.loadBalancerIPRange, '192.168.100.0/24');
  if ((options.tlsCertFile === undefined) !== (options.tlsPrivateKeyFile === undefined)) {
    throw usageError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  if ((options.clusterSigningCertFile === undefined) !== (options.clusterSigningKeyFile === undefined)) {
    throw usageError('--cluster-signing-cert-file and --cluster-signing-key-file must be given together');
  }
  checkFrontProxies(options);
  checkAuthentication(options);
  checkKubelets(options);
  checkAuthorization(options);
  checkLogging(options);
  checkTimes(options);
  checkValueRetentions(options);
  checkMemory(options);
  checkWorkers(options);
  checkFlowControl(options);
  checkEtcd(options);
  checkServiceAccounts(options);
  checkAudit(options);
  checkEncryption(options);
  checkTls(options);
  checkNodes(options);
  checkProcessNodes(options);
  checkScheduler(options);
  if (inMemory && dataDirectory !== undefined) throw usageError('--in-memory and --data-dir cannot be combined');
  if (dataDirectory === '') throw usageError('--data-dir is empty');
}

/** Upstream: `ValidateEndpointIP`, and `pkg/controlplane/reconcilers`. */
function checkAdvertised({ advertiseAddress: address, endpointReconcilerType: type = 'lease' }: StartOptions): void {
  if (type !== 'lease' && type !== 'none') {
    throw usageError(`--endpoint-reconciler-type ${JSON.stringify(type)}: give lease or none`);
  }
  if (address === undefined) return;
  if (isIP(address) === 0) throw usageError(`--advertise-address ${JSON.stringify(address)} is not an IP address`);
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(address)) {
    throw usageError(`--advertise-address ${address} is not an address at which other machines reach this one`);
  }
}

/** Upstream: apiserver `pkg/server/options/etcd.go`. */
function checkEncryption({
  encryptionProviderConfig: path,
  encryptionProviderConfigAutomaticReload: reloads,
}: StartOptions) {
  if (reloads !== true || path !== undefined) return;
  throw usageError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
}

/** Upstream: apiserver `pkg/server/options/authentication.go`. */
function checkFrontProxies(options: StartOptions): void {
  if ((options.proxyClientCertFile === undefined) !== (options.proxyClientKeyFile === undefined)) {
    throw usageError('--proxy-client-cert-file and --proxy-client-key-file must be given together');
  }
  const lists = [
    ['allowed-names', options.requestheaderAllowedNames],
    ['username-headers', options.requestheaderUsernameHeaders],
    ['uid-headers', options.requestheaderUidHeaders],
    ['group-headers', options.requestheaderGroupHeaders],
    ['extra-headers-prefix', options.requestheaderExtraHeadersPrefix],
  ] as const;
  for (const [name, list] of lists) {
    if (list === undefined) continue;
    if (options.requestheaderClientCAFile === undefined) {
      throw usageError(`--requestheader-${name} needs --requestheader-client-ca-file`);
    }
    if (separated(list).includes('')) throw usageError(`--requestheader-${name} holds an empty value`);
  }
}

function checkKubelets(options: StartOptions): void {
  const { kubeletPort = 1, kubeletTimeoutMs = 1, kubeletPreferredAddressTypes: types } = options;
  if ((options.kubeletClientCertificate === undefined) !== (options.kubeletClientKey === undefined)) {
    throw usageError('--kubelet-client-certificate and --kubelet-client-key must be given together');
  }
  if (!Number.isInteger(kubeletPort) || kubeletPort < 1 || kubeletPort > 65535) {
    throw usageError(`--kubelet-port ${kubeletPort} is not a port: give a number from 1 to 65535`);
  }
  if (!(kubeletTimeoutMs > 0)) throw usageError('--kubelet-timeout must be more than 0');
  if (types !== undefined && separated(types).includes('')) {
    throw usageError('--kubelet-preferred-address-types holds an empty type');
  }
}

/** Upstream reads a negative time to live as a very long one. Upstream: `pkg/controlplane/apiserver/options`. */
function checkTimes({
  historyRetentionMs = 0,
  eventTtlMs = 0,
  minRequestTimeoutSeconds = 0,
  livezGracePeriodMs = 0,
  shutdownDelayMs = 0,
  shutdownWatchTerminationGracePeriodMs: watchGraceMs = 0,
}: StartOptions): void {
  if (!(historyRetentionMs >= 0)) throw usageError('--history-retention must not be negative; 0 keeps all history');
  if (!(livezGracePeriodMs >= 0)) throw usageError('--livez-grace-period must not be negative');
  if (!(shutdownDelayMs >= 0)) throw usageError('--shutdown-delay-duration must not be negative');
  if (!(watchGraceMs >= 0)) throw usageError('--shutdown-watch-termination-grace-period must not be negative');
  if (eventTtlMs !== 0 && !(eventTtlMs >= 1000)) {
    throw usageError('--event-ttl must be a second or more; 0 keeps events forever');
  }
  if (!Number.isSafeInteger(minRequestTimeoutSeconds) || minRequestTimeoutSeconds < 0) {
    throw usageError(`--min-request-timeout ${minRequestTimeoutSeconds} is not a number of seconds: give 0 or more`);
  }
}

function checkValueRetentions(options: StartOptions): void {
  const { historyRetentionFor: texts = [], etcdServers } = options;
  if (texts.length > 0 && etcdServers !== undefined) {
    throw usageError(
      '--history-retention-for needs a store of Binnacle: etcd compacts the keys of all resources together; leave out one of the options',
    );
  }
  try {
    valueRetentionsOf(options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`--history-retention-for ${error.message}`);
  }
}

function checkMemory({ maxMemoryBytes = LEAST_MEMORY_BYTES }: StartOptions): void {
  if (maxMemoryBytes >= LEAST_MEMORY_BYTES && Number.isSafeInteger(maxMemoryBytes)) return;
  throw usageError(`--max-memory must be ${LEAST_MEMORY_BYTES / MIB}Mi or more; the server needs that much`);
}

function checkWorkers({ workers = 1, faultInjection = false }: StartOptions): void {
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS) {
    throw usageError(`--workers ${workers}: give a number from 1 to ${MOST_WORKERS}; 1 serves requests in one process`);
  }
  if (workers > 1 && faultInjection) {
    throw usageError('--fault-injection works in one process: leave it out, or give --workers 1');
  }
}

function checkFlowControl({
  enablePriorityAndFairness = true,
  maxRequestsInflight: reading = 1,
  maxMutatingRequestsInflight: mutating = 1,
}: StartOptions): void {
  for (const [flag, value] of [
    ['max-requests-inflight', reading],
    ['max-mutating-requests-inflight', mutating],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 0) throw usageError(`--${flag} ${value}: give 0 or more requests`);
  }
  if (enablePriorityAndFairness && reading + mutating === 0) {
    throw usageError(
      '--max-requests-inflight and --max-mutating-requests-inflight must not both be 0: priority levels share their sum',
    );
  }
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
  if (etcdServers !== undefined && inMemory === true)
    throw usageError('--etcd-servers and --in-memory cannot be combined');
  if (etcdServers?.split(',').some((server) => server.trim() === '') === true) {
    throw usageError(
      `--etcd-servers ${JSON.stringify(etcdServers)} is not a list of addresses, such as https://10.0.0.5:2379`,
    );
  }
  if ((etcdCertFile === undefined) !== (etcdKeyFile === undefined)) {
    throw usageError('--etcd-certfile and --etcd-keyfile must be given together');
  }
  if ((etcdUsername === undefined) !== (etcdPasswordFile === undefined)) {
    throw usageError('--etcd-username and --etcd-password-file must be given together');
  }
  if (etcdUsername === '') throw usageError('--etcd-username is empty');
  if (!(etcdCompactionIntervalMs >= 0))
    throw usageError('--etcd-compaction-interval must not be negative; 0 turns it off');
}

/** Upstream: kubernetes `pkg/kubeapiserver/options/authentication.go`. */
function checkServiceAccounts({
  serviceAccountIssuers = [],
  serviceAccountJwksUri,
  serviceAccountMaxTokenExpirationMs: maximum = 0,
  apiAudiences,
}: StartOptions): void {
  for (const issuer of serviceAccountIssuers) {
    if (issuer === '') throw usageError('--service-account-issuer is empty');
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      throw usageError(`--service-account-issuer ${JSON.stringify(issuer)} contains a colon but is not a URL`);
    }
  }
  if (new Set(serviceAccountIssuers).size < serviceAccountIssuers.length) {
    throw usageError('--service-account-issuer is given twice with the same value');
  }
  if (serviceAccountJwksUri !== undefined && !serviceAccountJwksUri.startsWith('https:')) {
    throw usageError(`--service-account-jwks-uri ${JSON.stringify(serviceAccountJwksUri)} is not an https URL`);
  }
  if (maximum !== 0 && !(maximum >= HOUR_MS && maximum <= MAXIMUM_TOKEN_MS)) {
    throw usageError('--service-account-max-token-expiration must be between 1 hour and 2^32 seconds; 0 sets no limit');
  }
  if (apiAudiences?.split(',').some((audience) => audience.trim() === '') === true) {
    throw usageError(`--api-audiences ${JSON.stringify(apiAudiences)} holds an empty audience`);
  }
}

function checkScheduler({ scheduler, schedulerConfigFile, controllers }: StartOptions): void {
  if (schedulerConfigFile === undefined || (scheduler ?? controllers !== '')) return;
  throw usageError('--scheduler-config is given, and no scheduler runs: add --scheduler');
}

function checkNodes({ nodes = 0 }: StartOptions): void {
  if (Number.isInteger(nodes) && nodes >= 0 && nodes <= MOST_NODES) return;
  throw usageError(`--nodes must be from 0 to ${MOST_NODES}`);
}

function checkProcessNodes(options: StartOptions): void {
  const { processNodes = 0, allowProcesses = false, imageCommands = [], imageCommandsFile } = options;
  const hasCommands = imageCommands.length > 0 || imageCommandsFile !== undefined;
  if (!Number.isInteger(processNodes) || processNodes < 0 || processNodes > MOST_PROCESS_NODES) {
    throw usageError(`--process-nodes must be from 0 to ${MOST_PROCESS_NODES}`);
  }
  if (processNodes === 0) {
    if (!hasCommands) return;
    throw usageError(
      '--image-command and --image-commands-file are given, and no node runs programs: add --process-nodes',
    );
  }
  if (process.platform === 'win32') throw usageError('--process-nodes needs a POSIX system');
  if (!allowProcesses) {
    throw usageError(
      '--process-nodes runs programs of this machine for everyone who may create pods: agree with --allow-processes',
    );
  }
  if (!hasCommands) throw usageError('--process-nodes needs the programs of images: add --image-command IMAGE=COMMAND');
}

function checkNetworks(option: string, text: string | undefined, example: string): void {
  const wrong = text?.split(',').find((network) => parseIpPrefix(network.trim()) === undefined);
  if (wrong !== undefined) throw usageError(`${option} ${JSON.stringify(wrong)} is not a CIDR, such as ${example}`);
}

function checkServiceRange(text: string): void {
  const ranges = text.split(',');
  const prefixes = ranges.map((range) => parseIpPrefix(range.trim()));
  const families = prefixes.map((prefix) => prefix?.address.family);
  if (prefixes.some((prefix) => prefix === undefined || prefix.length > longestPrefix[prefix.address.family])) {
    throw usageError(
      `--service-cluster-ip-range ${JSON.stringify(text)} is not a CIDR with room for services, such as 10.0.0.0/24`,
    );
  }
  if (families.length > 2 || (families.length === 2 && families[0] === families[1])) {
    throw usageError(
      `--service-cluster-ip-range ${JSON.stringify(text)} may hold one range, or one IPv4 and one IPv6 range`,
    );
  }
}
