import { type Clock, LimitedLines } from '@binnacle/apimachinery/clock';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { AuditOptions, AuditPolicy, AuditSink, LineTarget } from '@binnacle/apiserver/audit';
import { stderr, stdout } from 'node:process';
import { describeFileError } from '../files/index.js';
import type { StartConfig } from './config.js';
import { StartError } from './start-error.js';

const STANDARD_OUTPUT = '-';
/** Upstream: apiserver `pkg/server/options/audit.go`. */
const BUFFER_SIZE = 10_000;
const LOG_BATCH_SIZE = 1;
const LARGEST_EVENT_BYTES = 100 * 1024;

/** The audit of a server, whose sink the caller closes; undefined if nothing is recorded. Throws an `environment` error. */
export async function makeAudit(
  config: StartConfig,
  policy: AuditPolicy | undefined,
  clock: Clock,
  registry: MetricRegistry,
): Promise<AuditOptions | undefined> {
  if (policy === undefined || config.auditLogPath === undefined) return undefined;
  const room = await import('@binnacle/apiserver/audit');
  const metrics = room.makeAuditMetrics(registry);
  const lines = new LimitedLines(clock, (text) => stderr.write(text));
  const lost = (error: unknown, events = 1): void => {
    metrics.errors.with('log').value += events;
    lines.write(`audit: events are lost: ${describeFileError(error) ?? String(error)}`);
  };
  const target = await openTarget(config, config.auditLogPath, clock);
  const isBatched = config.auditLogMode === 'batch';
  const format = config.auditLogFormat === 'legacy' ? 'legacy' : 'json';
  const log = new room.LogSink({
    target,
    format,
    isStrict: config.auditLogMode === 'blocking-strict',
    lost: (error) => lost(error),
  });
  const sink: AuditSink = isBatched
    ? new room.BatchingSink(batchOptionsOf(config), room.sinkTarget(log), clock, lost)
    : log;
  const limit = config.auditLogTruncateMaxEventSize ?? LARGEST_EVENT_BYTES;
  return {
    policy,
    metrics,
    sink: config.auditLogTruncateEnabled === true ? room.truncatingSink(sink, limit, lost) : sink,
  };
}

/** Opens the log at once, so that a path that cannot be written is an error of the start. */
async function openTarget(config: StartConfig, path: string, clock: Clock): Promise<LineTarget> {
  if (path === STANDARD_OUTPUT) return { write: writeToStandardOutput, close: () => Promise.resolve() };
  const { RotatingFile } = await import('@binnacle/apiserver/audit');
  const options = {
    path,
    maximumMegabytes: config.auditLogMaxSize ?? 0,
    maximumBackups: config.auditLogMaxBackup ?? 0,
    maximumAgeDays: config.auditLogMaxAge ?? 0,
    compresses: config.auditLogCompress ?? false,
  };
  const file = new RotatingFile(options, clock);
  try {
    await file.write(new Uint8Array());
  } catch (error) {
    const reason = describeFileError(error) ?? String(error);
    throw new StartError('environment', `--audit-log-path ${path}: ${reason}`, { cause: error });
  }
  return file;
}

function writeToStandardOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(bytes, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

function batchOptionsOf(config: StartConfig) {
  const { auditLogBatchThrottleQps: qps, auditLogBatchThrottleBurst: burst } = config;
  const isThrottled = config.auditLogBatchThrottleEnable === true && qps !== undefined && burst !== undefined;
  return {
    bufferSize: config.auditLogBatchBufferSize ?? BUFFER_SIZE,
    maximumBatchSize: config.auditLogBatchMaxSize ?? LOG_BATCH_SIZE,
    maximumWaitMs: config.auditLogBatchMaxWaitMs ?? 0,
    throttle: isThrottled ? { qps, burst } : undefined,
  };
}
