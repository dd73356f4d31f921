import { resolve } from 'node:path';
import type { RunningServer } from '@binnacle/apiserver';
import type { Faults } from '@binnacle/apiserver/faults';
import type { Clock } from '@binnacle/apimachinery/clock';
import { buildFrom, type DisposalStack } from '@binnacle/apimachinery/disposal';
import type { Log } from '@binnacle/apimachinery/logging';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { ManagerStatus } from '@binnacle/controllers/status';
import type { KV } from '@binnacle/kv';
import {
  type DataDirectoryLayout,
  dataDirectoryLayout,
  describeFileError,
  ensurePrivateDirectory,
  writePrivateFileAnyway,
} from '../files/index.js';
import { makeKubeconfig } from '../kubeconfig/index.js';
import { clientUrl, servingHosts } from './address.js';
import { makeAudit } from './audit.js';
import { openLog } from './open-log.js';
import { readAccessRules } from './access-rules.js';
import { completeOptions, type StartConfig } from './options/config.js';
import { makeCredentials, type ServerCredentials, servingCertificates, sharedCredentials } from './credentials.js';
import { openEncryption } from './encryption.js';
import { explainFailure } from './explain-failure.js';
import { followCertificates } from './followed-certificates.js';
import { type CertificateFiles, type InputFiles, readInputFiles } from './input-files.js';
import type { ClientConfig, ForkStartOptions, RunningBinnacle, StartOptions } from './options/options.js';
import type { Parts, StoreLocation } from './parts.js';
import { frontProxyOptionsOf, serverOptionsOf, tlsOptionsOf } from './server-options.js';
import { startClients } from './start-clients.js';
import { StartError } from './start-error.js';
import { forkStarter, type Parent, startFork } from './start-fork.js';

/**
 * Starts a server from its parts. When a step fails, it closes what is open and then rejects with a {@link StartError}.
 */
export async function assemble(options: StartOptions, parts: Parts): Promise<RunningBinnacle> {
  const config = completeOptions(options);
  try {
    return await buildFrom((open) =>
      startParts(config, parts, open, (store, given) => startFork({ ...store, options, parts }, given, assemble)),
    );
  } catch (error) {
    throw explainFailure(error, config);
  }
}

async function startParts(
  config: StartConfig,
  parts: Parts,
  open: DisposalStack,
  forked: (store: Pick<Parent, 'kv' | 'credentials'>, options: ForkStartOptions) => Promise<RunningBinnacle>,
): Promise<RunningBinnacle> {
  const { bindAddress, dataDirectory, etcdServers } = config;
  const log = openLog(config, parts.clock, parts.writeLog);
  const files = await readInputFiles(config, parts.clock);
  const metrics = new MetricRegistry();
  const access = open.use(await readAccessRules(config, { clock: parts.clock, log, registry: metrics }));
  const layout = dataDirectory === undefined ? undefined : dataDirectoryLayout(resolve(dataDirectory));
  if (dataDirectory !== undefined) await ensurePrivateDirectory(dataDirectory);

  // The store opens first, because it holds the lock on the directory.
  const kv = await parts.openStore(storeLocation(files, layout?.store), parts);
  open.defer(() => kv.close());
  if (files.etcd !== undefined) open.defer(await compactTogether(kv, config, { clock: parts.clock, log }));
  const own = await (parts.credentials ?? makeCredentials)({
    hosts: servingHosts(bindAddress, config.serviceClusterIPRange, config.advertiseAddress),
    directory: layout?.certificates,
    serviceAccounts: files.serviceAccounts,
    clock: parts.clock,
  });
  const { parentCredentials } = parts;
  const credentials = parentCredentials === undefined ? own : sharedCredentials(parentCredentials, own);
  const faults = config.faultInjection ? await makeFaults() : undefined;
  const encryption = await openEncryption(config, { registry: metrics, clock: parts.clock, log });
  if (encryption !== undefined) open.use(encryption);
  const status = statusOf(config, metrics);
  const audit = await makeAudit(config, files, { ...parts, log });
  const fork = (given: ForkStartOptions = {}): Promise<RunningBinnacle> => forked({ kv, credentials }, given);
  const forks = { isFork: parts.isFork ?? false, startFork: kv.forkAt && forkStarter(fork) };
  const shared = { kv, ...forks, files, access, credentials, faults, audit, encryption, metrics, log };
  const serverParts = { ...shared, sources: parts, healthChecks: status.checks };
  const server = await parts.startServer(serverOptionsOf(config, serverParts));
  open.defer(() => server.stop());
  const { serving, named, clientAuthority, frontProxyAuthority } = files;
  const followed = { clientAuthority, frontProxyAuthority, named, serving };
  const renew = renewal(server, config, files, credentials);
  open.use(followCertificates({ config, clock: parts.clock, log, files: followed, renew }));

  const clientConfig = clientConfigOf(clientUrl(bindAddress, server.port), files, credentials);
  const kubeconfig = makeKubeconfig(clientConfig);
  const kubeconfigFile = parts.isWorker === true ? undefined : await writeKubeconfig(config, layout, kubeconfig);
  open.defer(startClients({ parts, server, log }, { kv, config, files, credentials, clientConfig, status }));
  // Clients and control loops continue until the load balancers have switched.
  open.defer(() => server.announceStop());
  return stoppedWith(open, {
    url: clientConfig.server,
    port: server.port,
    kubeconfig,
    kubeconfigFile,
    dataDirectory: dataDirectory === undefined ? undefined : resolve(dataDirectory),
    etcdServers,
    clientConfig,
    faults,
    fork,
  });
}

/** Returns a function that gives changed certificate files to the running server. */
function renewal(server: RunningServer, config: StartConfig, files: InputFiles, credentials: ServerCredentials) {
  return (changed: CertificateFiles): void => {
    const { frontProxies } = frontProxyOptionsOf(config, { ...files, ...changed }, credentials.certificates);
    server.renew(tlsOptionsOf(config, changed, credentials), frontProxies?.authorities ?? []);
  };
}

function stoppedWith(
  open: DisposalStack,
  running: Omit<RunningBinnacle, 'stop' | typeof Symbol.asyncDispose>,
): RunningBinnacle {
  const stop = (): Promise<void> => open.dispose();
  return { ...running, stop, [Symbol.asyncDispose]: stop };
}

function statusOf({ loops, scheduler }: StartConfig, metrics: MetricRegistry): ManagerStatus {
  const names = loops.map(({ name }) => name);
  return new ManagerStatus(metrics, names, scheduler ? ['kube-scheduler'] : []);
}

async function makeFaults(): Promise<Faults> {
  const { Faults } = await import('@binnacle/apiserver/faults');
  return new Faults();
}

function storeLocation(files: InputFiles, directory: string | undefined): StoreLocation {
  if (files.etcd !== undefined) return { type: 'etcd', options: files.etcd.connection };
  return directory === undefined ? { type: 'memory' } : { type: 'embedded', directory };
}

/** Takes part in the compaction of a shared store. Returns the function that stops it. */
async function compactTogether(
  kv: KV,
  { etcdCompactionIntervalMs }: StartConfig,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<() => void> {
  if (etcdCompactionIntervalMs === 0) return () => undefined;
  const { startSharedCompaction } = await import('./shared-compaction.js');
  return startSharedCompaction(kv, etcdCompactionIntervalMs, clock, (error) => {
    log.error('etcd', 'Compaction failed', error);
  });
}

function clientConfigOf(url: string, files: InputFiles, credentials: ServerCredentials): ClientConfig {
  const { certificates, token } = credentials;
  return {
    server: url,
    // The user's certificate may have any issuer. Trusting the certificate itself as a root verifies it.
    certificateAuthority: files.serving?.certificate ?? servingCertificates(credentials).authority.certificate,
    clientCertificate: certificates.admin.certificate,
    clientKey: certificates.admin.privateKey,
    token,
  };
}

/** Returns the path of the file; undefined if there is none to write. */
async function writeKubeconfig(
  { kubeconfigFile }: StartConfig,
  layout: DataDirectoryLayout | undefined,
  text: string,
): Promise<string | undefined> {
  const path = kubeconfigFile ?? layout?.kubeconfig;
  if (path === undefined) return undefined;
  try {
    await writePrivateFileAnyway(path, text);
    return resolve(path);
  } catch (error) {
    const reason = describeFileError(error) ?? String(error);
    throw new StartError('environment', `cannot write the kubeconfig ${path}: ${reason}`, { cause: error });
  }
}
