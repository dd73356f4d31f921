import type { StartOptions } from './options.js';
import { valueRetentionsOf } from './value-retentions.js';
import { usageError } from '../start-error.js';

const MIB = 1024 * 1024;
const LEAST_MEMORY_BYTES = 128 * MIB;

const MOST_WORKERS = 64;

/** Upstream reads a negative time to live as a very long one. Upstream: `pkg/controlplane/apiserver/options`. */
export function checkTimes({
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

export function checkValueRetentions(options: StartOptions): void {
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

export function checkMemory({ maxMemoryBytes = LEAST_MEMORY_BYTES }: StartOptions): void {
  if (maxMemoryBytes >= LEAST_MEMORY_BYTES && Number.isSafeInteger(maxMemoryBytes)) return;
  throw usageError(`--max-memory must be ${LEAST_MEMORY_BYTES / MIB}Mi or more; the server needs that much`);
}

export function checkWorkers({ workers = 1, faultInjection = false }: StartOptions): void {
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS) {
    throw usageError(`--workers ${workers}: give a number from 1 to ${MOST_WORKERS}; 1 serves requests in one process`);
  }
  if (workers > 1 && faultInjection) {
    throw usageError('--fault-injection works in one process: leave it out, or give --workers 1');
  }
}

export function checkFlowControl({
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
