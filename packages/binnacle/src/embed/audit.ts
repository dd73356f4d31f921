import type { Clock } from '@binnacle/apimachinery/clock';
import type { Log } from '@binnacle/apimachinery/logging';
import type { AuditBackendOptions, AuditLog, AuditMode } from '@binnacle/apiserver/audit';
import type { ServerOptions } from '@binnacle/apiserver';
import { stdout } from 'node:process';
import { describeFileError } from '../files/index.js';
import type { AuditBackend } from './options/audit-options.js';
import type { StartConfig } from './options/config.js';
import type { InputFiles } from './input-files.js';
import type { Parts } from './parts.js';
import { StartError } from './start-error.js';

const STANDARD_OUTPUT = '-';
/** Upstream: apiserver `pkg/server/options/audit.go`. */
const BUFFER_SIZE = 10_000;
const LARGEST_EVENT_BYTES = 100 * 1024;
const WEBHOOK_BACKOFF_MS = 10_000;
const defaults = {
  Log: { mode: 'blocking', size: 1, waitMs: 0, isThrottled: false, qps: undefined, burst: undefined },
  Webhook: { mode: 'batch', size: 400, waitMs: 30_000, isThrottled: true, qps: 10, burst: 15 },
} as const;

/** The audit log and webhook, which the server closes; undefined if nothing is recorded. Throws a {@link StartError} with the code `environment`. */
export async function makeAudit(
  config: StartConfig,
  { auditPolicy: read, auditWebhook: service }: Pick<InputFiles, 'auditPolicy' | 'auditWebhook'>,
  { clock, auditTarget: target, log }: Pick<Parts, 'clock' | 'auditTarget'> & { readonly log: Log },
): Promise<ServerOptions['audit']> {
  if (read === undefined) return undefined;
  const { policy, warnings } = read;
  for (const warning of warnings) log.info(0, 'audit', warning, [['flag', '--audit-policy-file']]);
  const { auditLogPath: path, auditWebhookInitialBackoffMs: backoffMs = WEBHOOK_BACKOFF_MS } = config;
  const format = config.auditLogFormat === 'legacy' ? 'legacy' : 'json';
  const open = async (file: string): Promise<Pick<AuditLog, 'target'>> =>
    target === undefined ? openLog(config, file, clock) : { target };
  return {
    policy,
    log: path === undefined ? undefined : { ...backendOf('Log', config), ...(await open(path)), format },
    webhook: service && { ...backendOf('Webhook', config), service, backoffMs },
  };
}

function backendOf(backend: AuditBackend, config: StartConfig): AuditBackendOptions {
  const own = defaults[backend];
  const qps = config[`audit${backend}BatchThrottleQps`] ?? own.qps;
  const burst = config[`audit${backend}BatchThrottleBurst`] ?? own.burst;
  const isThrottled = config[`audit${backend}BatchThrottleEnable`] ?? own.isThrottled;
  const isTruncated = config[`audit${backend}TruncateEnabled`] ?? false;
  return {
    mode: modeOf(config[`audit${backend}Mode`] ?? own.mode),
    batch: {
      bufferSize: config[`audit${backend}BatchBufferSize`] ?? BUFFER_SIZE,
      maximumBatchSize: config[`audit${backend}BatchMaxSize`] ?? own.size,
      maximumWaitMs: config[`audit${backend}BatchMaxWaitMs`] ?? own.waitMs,
      throttle: isThrottled && qps !== undefined && burst !== undefined ? { qps, burst } : undefined,
    },
    maximumEventBytes: isTruncated ? (config[`audit${backend}TruncateMaxEventSize`] ?? LARGEST_EVENT_BYTES) : undefined,
  };
}

function modeOf(text: string): AuditMode {
  return text === 'batch' || text === 'blocking-strict' ? text : 'blocking';
}

/** Opens the log at once, so that a path that cannot be written is an error of the start. */
async function openLog(config: StartConfig, path: string, clock: Clock): Promise<Pick<AuditLog, 'target'>> {
  if (path === STANDARD_OUTPUT) return { target: { write: writeToStandardOutput, close: () => Promise.resolve() } };
  const { RotatingFile } = await import('@binnacle/apiserver/audit');
  const options = {
    path,
    maximumMegabytes: config.auditLogMaxSize ?? 0,
    maximumBackups: config.auditLogMaxBackup ?? 0,
    maximumAgeDays: config.auditLogMaxAge ?? 0,
    compresses: config.auditLogCompress ?? false,
  };
  const target = new RotatingFile(options, clock);
  try {
    await target.write(new Uint8Array());
  } catch (error) {
    const reason = describeFileError(error) ?? String(error);
    throw new StartError('environment', `--audit-log-path ${path}: ${reason}`, { cause: error });
  }
  return { target };
}

function writeToStandardOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(bytes, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}
