import type { ServerOptions } from '@binnacle/apiserver';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KV } from '@binnacle/kv';
import type { ServerCredentials } from './credentials.js';
import type { ForkStartOptions, RunningBinnacle, StartOptions } from './options/options.js';
import type { Parts } from './parts.js';
import { StartError } from './start-error.js';

export interface Parent {
  readonly kv: KV;
  readonly credentials: ServerCredentials;
  readonly options: StartOptions;
  readonly parts: Parts;
}

type Start = (options: StartOptions, parts: Parts) => Promise<RunningBinnacle>;

/** The programs of pods act on the machine, and must not run a second time. */
const noProcesses = {
  processNodes: 0,
  allowProcesses: undefined,
  imageCommands: undefined,
  imageCommandsFile: undefined,
};

/**
 * Keys of the parent. It would accept what a fork signs with them, and other servers would take a fork that uses them for
 * the parent.
 */
const noKeys = {
  serviceAccountSigningKeyFile: undefined,
  serviceAccountKeyFiles: undefined,
  clusterSigningCertFile: undefined,
  clusterSigningKeyFile: undefined,
  proxyClientCertFile: undefined,
  proxyClientKeyFile: undefined,
  kubeletClientCertificate: undefined,
  kubeletClientKey: undefined,
};
/** The options by which a server accepts credentials that it has not made. */
const CREDENTIALS =
  /^(?:clientCAFile|tokenAuthFile|enableBootstrapTokenAuth|(?:authentication|oidc|requestheader)[A-Z].*)$/;

/** The options of a server that accepts only its own credentials. */
function withoutUsers(options: StartOptions): StartOptions {
  const kept: StartOptions = Object.fromEntries(Object.entries(options).filter(([name]) => !CREDENTIALS.test(name)));
  // The file may restrict anonymous requests.
  return options.authenticationConfig === undefined ? kept : { ...kept, anonymousAuth: false };
}

/**
 * Starts a server with the options of its parent over a fork of the store, without the files and the processes of its
 * parent.
 */
export async function startFork(
  { kv, credentials, options, parts }: Parent,
  { revision, sharesCredentials = false, ...given }: ForkStartOptions,
  start: Start,
): Promise<RunningBinnacle> {
  if (kv.fork === undefined || kv.forkAt === undefined) {
    throw new StartError('usage', 'a server over etcd cannot be forked');
  }
  const fork = revision === undefined ? kv.fork() : await kv.forkAt(revision);
  const noAudit = { auditPolicyFile: undefined, auditLogPath: undefined, auditWebhookConfigFile: undefined };
  const noFiles = { ...noAudit, kubeconfigFile: undefined, dataDirectory: undefined, inMemory: true };
  const users = sharesCredentials ? options : withoutUsers(options);
  // No load balancer leads to a fork, and a fork ends within the time of its parent.
  const atOnce = { shutdownDelayMs: undefined };
  const own = { ...users, ...noFiles, ...noProcesses, ...noKeys, ...atOnce, securePort: 0, ...given };
  const parentCredentials = sharesCredentials ? credentials : undefined;
  try {
    return await start(own, { ...parts, parentCredentials, isFork: true, openStore: () => Promise.resolve(fork) });
  } catch (error) {
    await fork.close();
    throw error;
  }
}

/** Starts forks for clients of the server. Its options are those of a request. */
export function forkStarter(fork: RunningBinnacle['fork']): NonNullable<ServerOptions['startFork']> {
  return async ({ revision, port, sharesCredentials }) => {
    try {
      return await fork({ revision, securePort: port, sharesCredentials });
    } catch (error) {
      throw error instanceof StartError ? badRequest(error.message) : error;
    }
  };
}
