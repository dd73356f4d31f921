import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { untilAborted } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { Endpoints } from '@binnacle/client/controller';
import { type ClientConfig, KubeconfigError, loadConfig } from '@binnacle/client/kubeconfig';
import { type LoopSettings, runLoops } from '@binnacle/controllers';
import { ManagerStatus } from '@binnacle/controllers/status';
import { checkSettings, chooseLoops, ControllersError, SettingsError } from '@binnacle/controllers/table';
import { describeFileError } from '../../files/index.js';
import type { ControllerManagerRequest } from '../arguments/controller-manager-request.js';
import { LoopConnections } from './loop-connections.js';
import { printFailure, printMessage } from './print-message.js';
import { untilStopped } from './shutdown.js';
import { surviveUnwritableOutput } from './unwritable-output.js';

/** `binnacle controller-manager`: resolves with the exit code when the control loops have stopped. */
export async function controllerManager(request: ControllerManagerRequest): Promise<number> {
  surviveUnwritableOutput();
  limitHeapGrowth();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort(new Error('the control loops are stopping')));
  try {
    const loops = chooseLoops(request.controllers);
    if (loops.length === 0)
      throw new ControllersError('--controllers selects no control loop; leave the option out to run all');
    checkSettings(request.settings ?? {});
    const config = await loadConfig(request.kubeconfig === undefined ? {} : { path: request.kubeconfig });
    const certificateAuthority = await rootCertificate(request, config);
    const settings = await settingsOf(request);
    process.stdout.write(`Running ${loops.map(({ name }) => name).join(', ')} for ${config.server}\n`);
    const metrics = new MetricRegistry();
    const status = new ManagerStatus(
      metrics,
      loops.map(({ name }) => name),
    );
    await using connections = new LoopConnections(config, {
      useAccounts: request.useServiceAccountCredentials === true,
      observer: status.clients.observerFor(new URL(config.server).host),
    });
    const running = runLoops(
      {
        loops,
        connect: (identity) => connections.open(identity),
        certificateAuthority,
        report: (error, where) => printMessage(`${where}: ${messageOf(error)}`),
        leaderElection: request.leaderElect,
        loadBalancerIPRange: request.loadBalancerIPRange ?? '',
        settings,
        status,
      },
      stopping.signal,
    );
    try {
      await serveHealth(request, status, metrics, stopping.signal);
    } finally {
      // Without its endpoint, the process ends.
      stopping.abort();
      await running;
    }
    return 0;
  } catch (error) {
    printFailure(error);
    return error instanceof ControllersError || error instanceof SettingsError ? 2 : 1;
  }
}

/** Resolves when the signal has fired. Rejects if it cannot listen. */
async function serveHealth(
  { healthAddress }: ControllerManagerRequest,
  { checks: health }: ManagerStatus,
  metrics: MetricRegistry,
  signal: AbortSignal,
): Promise<void> {
  if (healthAddress === undefined) return untilAborted(signal);
  const listening = ({ href }: URL) =>
    process.stdout.write(`Health and metrics at ${href}healthz and ${href}metrics\n`);
  await new Endpoints({ ...healthAddress, health, listening }, metrics).run(signal);
}

async function rootCertificate({ rootCaFile }: ControllerManagerRequest, config: ClientConfig): Promise<string> {
  if (rootCaFile === undefined) return config.certificateAuthority ?? '';
  return readInput('--root-ca-file', rootCaFile, (text) => text);
}

async function settingsOf({ settings, serviceAccountPrivateKeyFile }: ControllerManagerRequest): Promise<LoopSettings> {
  const { clusterSigningCertFile, clusterSigningKeyFile, ...others } = settings ?? {};
  if ((clusterSigningCertFile === undefined) !== (clusterSigningKeyFile === undefined)) {
    throw new ControllersError('--cluster-signing-cert-file and --cluster-signing-key-file must be given together');
  }
  return {
    ...others,
    clusterSigning:
      clusterSigningCertFile === undefined || clusterSigningKeyFile === undefined
        ? undefined
        : {
            certificate: await readInput('--cluster-signing-cert-file', clusterSigningCertFile, checkedCertificate),
            privateKey: await readInput('--cluster-signing-key-file', clusterSigningKeyFile, checkedKey),
          },
    signToken: serviceAccountPrivateKeyFile === undefined ? undefined : await tokenSigner(serviceAccountPrivateKeyFile),
  };
}

async function tokenSigner(file: string): Promise<LoopSettings['signToken']> {
  const { readSigningKey, signToken } = await import('@binnacle/apiserver/serviceaccounts');
  const key = await readInput('--service-account-private-key-file', file, readSigningKey);
  return (claims) => Promise.resolve(signToken(claims, key));
}

/** Parsing validates. */
function checkedCertificate(text: string): string {
  return new X509Certificate(text).toString();
}

function checkedKey(text: string): string {
  createPrivateKey(text);
  return text;
}

async function readInput<T>(flag: string, file: string, check: (text: string) => T): Promise<T> {
  try {
    return check(await readFile(file, 'utf8'));
  } catch (error) {
    throw new KubeconfigError(`${flag} ${file}: ${describeFileError(error) ?? messageOf(error)}`, { cause: error });
  }
}

/**
 * Keeps the memory of a process near the memory that it uses. By default V8 lets a small heap quadruple, and its young generation grow to 48 MB,
 * before it collects again. So a process whose caches fill at the start and that then allocates little would keep the garbage of its start.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=1');
}
