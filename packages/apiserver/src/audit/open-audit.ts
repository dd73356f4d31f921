import type { BatchOptions } from '@binnacle/apimachinery/batching';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { AuditMetrics } from '../metrics/index.js';
import type { RemoteService, RemoteServiceConfig } from '../webhooks/index.js';
import { BatchingSink } from './batching-sink.js';
import type { LogFormat } from './line.js';
import { type LineTarget, LogSink } from './log-sink.js';
import type { AuditPolicy } from './policy.js';
import { BlockingSink } from './blocking-sink.js';
import { type AuditSink, type AuditTarget, sinkTarget, unionOfSinks } from './sink.js';
import { truncatingSink } from './truncating-sink.js';
import { WebhookTarget } from './webhook-target.js';

/** `batch` stores events later; `blocking` makes a request wait for its event; `blocking-strict` also refuses the request if that fails. */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

/** Which requests a server records, and where. */
export interface AuditSettings {
  readonly policy: AuditPolicy;
  readonly log?: AuditLog | undefined;
  readonly webhook?: AuditWebhook | undefined;
}

export interface AuditBackendOptions {
  readonly mode: AuditMode;
  /** For `batch`. */
  readonly batch: BatchOptions;
  /** Larger events lose their bodies. Undefined: no limit. */
  readonly maximumEventBytes: number | undefined;
}

export interface AuditLog extends AuditBackendOptions {
  readonly target: LineTarget;
  readonly format: LogFormat;
}

export interface AuditWebhook extends AuditBackendOptions {
  readonly service: RemoteServiceConfig;
  /** The first pause before a request that failed is repeated, in milliseconds. */
  readonly backoffMs: number;
}

export interface AuditParts {
  readonly clock: Clock;
  readonly metrics: AuditMetrics;
  readonly openService: (webhook: AuditWebhook) => Pick<RemoteService, 'post'>;
  /** Called for lost events. Must not throw. */
  readonly report: (error: unknown) => void;
}

/** Opens the sinks of the settings, as one. */
export function openAuditSink({ log, webhook }: AuditSettings, parts: AuditParts): AuditSink {
  const { clock, metrics, openService, report } = parts;
  const lostBy = (plugin: string) => (error: unknown, events: number) => {
    metrics.errors.with(plugin).value += events;
    report(error);
  };
  const sinks: AuditSink[] = [];
  if (log !== undefined) sinks.push(logSink(log, clock, lostBy('log')));
  if (webhook !== undefined) {
    sinks.push(webhookSink(webhook, new WebhookTarget(openService(webhook), clock), clock, lostBy('webhook')));
  }
  return unionOfSinks(sinks);
}

/** Called when events are lost, with their number. */
type OnLost = (error: unknown, events: number) => void;

function logSink(log: AuditLog, clock: Clock, lost: OnLost): AuditSink {
  const { target, format, mode, batch } = log;
  const isBatched = mode === 'batch';
  const lines = new LogSink({
    target,
    format,
    clock,
    isBatched,
    isStrict: mode === 'blocking-strict',
    lost: (error) => lost(error, 1),
  });
  return truncated(log, isBatched ? new BatchingSink(batch, sinkTarget(lines), clock, lost) : lines, lost);
}

function webhookSink(webhook: AuditWebhook, target: AuditTarget, clock: Clock, lost: OnLost): AuditSink {
  const { mode, batch } = webhook;
  const isStrict = mode === 'blocking-strict';
  const sink =
    mode === 'batch' ? new BatchingSink(batch, target, clock, lost) : new BlockingSink(target, isStrict, lost);
  return truncated(webhook, sink, lost);
}

function truncated({ maximumEventBytes }: AuditBackendOptions, sink: AuditSink, lost: OnLost): AuditSink {
  return maximumEventBytes === undefined ? sink : truncatingSink(sink, maximumEventBytes, (error) => lost(error, 1));
}
