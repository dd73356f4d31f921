import type { UserInfo } from '@binnacle/apiserver/authentication';
import type { Faults } from '@binnacle/apiserver/faults';
import type { ServiceAccountOptions } from '@binnacle/apiserver/server';
import type { KV } from '@binnacle/kv/interface';
import { resolve } from 'node:path';
import { describeFileError, ensurePrivateDirectory, writePrivateFile } from '../files/index.js';
import { makeKubeconfig } from '../kubeconfig/index.js';
import { clientUrl, servingHosts } from './address.js';
import { type CheckedOptions, checkOptions } from './check-options.js';
import { startLoops } from './control-loops.js';
import { makeCredentials } from './credentials.js';
import { dataDirectoryLayout } from './data-directory.js';
import { explainFailure } from './explain-failure.js';
import { type InputFiles, readInputFiles } from './input-files.js';
import type { ClientConfig, RunningBinnacle, StartOptions } from './options.js';
import type { Parts, StoreLocation } from './parts.js';
import { StartError } from './start-error.js';

/** Upstream: `--etcd-compaction-interval`. */
const DEFAULT_COMPACTION_INTERVAL_MS = 5 * 60_000;

/** The user of the client configuration's token. Its certificate names the same user. */
const administrator: UserInfo = { name: 'kubernetes-admin', uid: '', groups: ['system:masters'], extra: {} };

/**
 * Starts a server from its parts. When a step fails, it closes what is open and then rejects with a {@link StartError}.
 */
export async function assemble(startOptions: StartOptions, parts: Parts): Promise<RunningBinnacle> {
  const options = checkOptions(startOptions);
  const open: (() => Promise<void>)[] = [];
  const close = () => closeAll(open.splice(0));
  try {
    return await startParts(options, parts, open, close);
  } catch (error) {
    // A second failure, during cleanup, must not hide the first.
    await close().catch(() => undefined);
    throw explainFailure(error, options);
  }
}

async function startParts(
  options: CheckedOptions,
  parts: Parts,
  open: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<RunningBinnacle> {
  const { bindAddress, securePort, serviceClusterIPRange, runtimeConfig, features } = options;
  const { historyRetentionMs, eventTtlMs, minRequestTimeoutSeconds } = options;
  const files = await readInputFiles(options);
  const layout = options.dataDirectory === undefined ? undefined : dataDirectoryLayout(resolve(options.dataDirectory));
  if (options.dataDirectory !== undefined) await ensurePrivateDirectory(options.dataDirectory);

  // The store opens first, because it holds the lock on the directory.
  const kv = await parts.openStore(storeLocation(files, layout?.store));
  open.push(() => kv.close());
  if (files.etcd !== undefined) open.push(await compactTogether(kv, options));
  const hosts = servingHosts(bindAddress, serviceClusterIPRange);
  const { certificates, keys, token } = await (parts.credentials ?? makeCredentials)({
    hosts,
    directory: layout?.certificates,
    serviceAccounts: files.serviceAccounts,
  });
  const serving = files.serving ?? certificates.serving;

  const faults = options.faultInjection === true ? await makeFaults() : undefined;
  const server = await parts.startServer({
    bindAddress,
    securePort,
    tls: {
      ...serving,
      clientCertificateAuthorities: [
        certificates.authority.certificate,
        ...(files.clientAuthority === undefined ? [] : [files.clientAuthority]),
      ],
    },
    tokens: [...files.tokens, { token, user: administrator }],
    serviceAccounts: serviceAccountOptions(options, keys),
    kv,
    storageMediaType: options.storageMediaType,
    ...(files.etcd === undefined ? {} : { storagePrefix: files.etcd.storagePrefix }),
    serviceClusterIpRange: serviceClusterIPRange,
    ...(runtimeConfig === undefined ? {} : { runtimeConfig }),
    features,
    // All servers of an etcd share its history and compact it together.
    ...(files.etcd === undefined
      ? historyRetentionMs === undefined
        ? {}
        : { historyRetentionMs }
      : { historyRetentionMs: 0 }),
    ...(eventTtlMs === undefined ? {} : { eventTtlSeconds: Math.floor(eventTtlMs / 1000) }),
    ...(minRequestTimeoutSeconds === undefined ? {} : { minRequestTimeoutSeconds }),
    ...(options.shutdownDelayMs === undefined ? {} : { shutdownDelayMs: options.shutdownDelayMs }),
    ...(options.maxMemoryBytes === undefined ? {} : { maxMemoryBytes: options.maxMemoryBytes }),
    ...(options.watchCache === undefined ? {} : { watchCache: options.watchCache }),
    ...(options.enableAdmissionPlugins === undefined ? {} : { enableAdmissionPlugins: options.enableAdmissionPlugins }),
    ...(options.disableAdmissionPlugins === undefined
      ? {}
      : { disableAdmissionPlugins: options.disableAdmissionPlugins }),
    ...(faults === undefined ? {} : { faults }),
  });
  open.push(() => server.stop());

  const clientConfig: ClientConfig = {
    server: clientUrl(bindAddress, server.port),
    // The user's certificate may have any issuer. Trusting the certificate itself as a root verifies it.
    certificateAuthority: files.serving?.certificate ?? certificates.authority.certificate,
    clientCertificate: certificates.admin.certificate,
    clientKey: certificates.admin.privateKey,
    token,
  };
  const kubeconfig = makeKubeconfig(clientConfig);
  const kubeconfigFile = options.kubeconfigFile ?? layout?.kubeconfig;
  if (kubeconfigFile !== undefined) await writeKubeconfig(kubeconfigFile, kubeconfig);
  open.push(
    startLoops(parts, server, {
      loops: options.loops,
      certificateAuthority: clientConfig.certificateAuthority,
      // Any number of servers may share an etcd.
      isSoleServer: files.etcd === undefined,
      // Only one of the servers that share a store runs control loops.
      leaderElection: files.etcd !== undefined,
    }),
  );

  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= close());
  return {
    url: clientConfig.server,
    port: server.port,
    kubeconfig,
    ...(kubeconfigFile === undefined ? {} : { kubeconfigFile: resolve(kubeconfigFile) }),
    ...(options.dataDirectory === undefined ? {} : { dataDirectory: resolve(options.dataDirectory) }),
    ...(options.etcdServers === undefined ? {} : { etcdServers: options.etcdServers }),
    clientConfig,
    ...(faults === undefined ? {} : { faults }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function makeFaults(): Promise<Faults> {
  const { Faults } = await import('@binnacle/apiserver/faults');
  return new Faults();
}

function serviceAccountOptions(options: CheckedOptions, keys: ServiceAccountOptions['keys']): ServiceAccountOptions {
  const {
    serviceAccountMaxTokenExpirationMs: maximum,
    serviceAccountExtendTokenExpiration: extendsExpiration,
    serviceAccountLookup: looksUpSecrets,
  } = options;
  return {
    keys,
    issuers: options.serviceAccountIssuers,
    ...(options.apiAudiences === undefined
      ? {}
      : { apiAudiences: options.apiAudiences.split(',').map((each) => each.trim()) }),
    ...(options.serviceAccountJwksUri === undefined ? {} : { jwksUri: options.serviceAccountJwksUri }),
    ...(maximum === undefined ? {} : { maximumTokenSeconds: Math.floor(maximum / 1000) }),
    ...(extendsExpiration === undefined ? {} : { extendsTokenExpiration: extendsExpiration }),
    ...(looksUpSecrets === undefined ? {} : { looksUpSecrets }),
  };
}

function storeLocation(files: InputFiles, directory: string | undefined): StoreLocation {
  if (files.etcd !== undefined) return { type: 'etcd', options: files.etcd.connection };
  return directory === undefined ? { type: 'memory' } : { type: 'embedded', directory };
}

/** Takes part in the compaction of a shared store. Returns the function that stops it. */
async function compactTogether(kv: KV, options: CheckedOptions): Promise<() => Promise<void>> {
  const { etcdCompactionIntervalMs = DEFAULT_COMPACTION_INTERVAL_MS } = options;
  if (etcdCompactionIntervalMs === 0) return () => Promise.resolve();
  const { startSharedCompaction } = await import('./shared-compaction.js');
  const stop = startSharedCompaction(kv, etcdCompactionIntervalMs, (error) => {
    process.stderr.write(`compaction of etcd: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  return () => Promise.resolve(stop());
}

/** Closes everything in reverse order. It continues after a failure, and then rejects with it. */
async function closeAll(open: (() => Promise<void>)[]): Promise<void> {
  const end = open.pop();
  if (end === undefined) return;
  try {
    await end();
  } finally {
    await closeAll(open);
  }
}

async function writeKubeconfig(path: string, text: string): Promise<void> {
  try {
    await writePrivateFile(path, text);
  } catch (error) {
    const reason = describeFileError(error) ?? String(error);
    throw new StartError('environment', `cannot write the kubeconfig ${path}: ${reason}`, { cause: error });
  }
}
