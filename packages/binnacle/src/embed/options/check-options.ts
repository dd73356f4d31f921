import { type OptionsWithAddresses, checkAddresses } from './check-addresses.js';
import { checkAudit } from './check-audit.js';
import { checkAuthentication } from './check-authentication.js';
import { checkAuthorization } from './check-authorization.js';
import { checkEtcd } from './check-etcd.js';
import { checkFlowControl, checkMemory, checkTimes, checkValueRetentions, checkWorkers } from './check-limits.js';
import { checkNodes, checkProcessNodes, checkScheduler } from './check-nodes.js';
import { checkServiceAccounts } from './check-service-accounts.js';
import { checkTls } from './check-tls.js';
import { checkLogging } from '../open-log.js';
import type { StartOptions } from './options.js';
import { separated } from './separated.js';
import { usageError } from '../start-error.js';

/** Options that are useless without each other. */
const pairs = [
  ['--tls-cert-file', 'tlsCertFile', '--tls-private-key-file', 'tlsPrivateKeyFile'],
  ['--cluster-signing-cert-file', 'clusterSigningCertFile', '--cluster-signing-key-file', 'clusterSigningKeyFile'],
  ['--proxy-client-cert-file', 'proxyClientCertFile', '--proxy-client-key-file', 'proxyClientKeyFile'],
  ['--kubelet-client-certificate', 'kubeletClientCertificate', '--kubelet-client-key', 'kubeletClientKey'],
  ['--etcd-certfile', 'etcdCertFile', '--etcd-keyfile', 'etcdKeyFile'],
  ['--etcd-username', 'etcdUsername', '--etcd-password-file', 'etcdPasswordFile'],
] as const satisfies readonly (readonly [string, keyof StartOptions, string, keyof StartOptions])[];

/** Throws a `usage` error for every fault that shows without access to files or the network. */
export function checkOptions(options: OptionsWithAddresses): void {
  const { inMemory = false, dataDirectory } = options;
  checkAddresses(options);
  for (const [first, firstKey, second, secondKey] of pairs) {
    if ((options[firstKey] === undefined) === (options[secondKey] === undefined)) continue;
    throw usageError(`${first} and ${second} must be given together`);
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
  if (!Number.isInteger(kubeletPort) || kubeletPort < 1 || kubeletPort > 65535) {
    throw usageError(`--kubelet-port ${kubeletPort} is not a port: give a number from 1 to 65535`);
  }
  if (!(kubeletTimeoutMs > 0)) throw usageError('--kubelet-timeout must be more than 0');
  if (types !== undefined && separated(types).includes('')) {
    throw usageError('--kubelet-preferred-address-types holds an empty type');
  }
}
