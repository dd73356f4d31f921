/** Which requests are recorded, and where. Names and meanings are kube-apiserver's. */
export interface AuditStartOptions extends OptionsOf<'Log'>, OptionsOf<'Webhook'> {
  /** YAML or JSON file of an audit.k8s.io/v1 Policy. Without it, nothing is recorded. */
  readonly auditPolicyFile?: string | undefined;
  /** File of the audit log; `-` is standard output. */
  readonly auditLogPath?: string | undefined;
  /** Megabytes after which the file is renamed to a backup. Default: 100. */
  readonly auditLogMaxSize?: number | undefined;
  /** Backups to keep; 0 = all. Default: 0. */
  readonly auditLogMaxBackup?: number | undefined;
  /** Days to keep backups; 0 = forever. Default: 0. */
  readonly auditLogMaxAge?: number | undefined;
  /** Whether to compress backups. Default: false. */
  readonly auditLogCompress?: boolean | undefined;
  /** `json` or `legacy`. Default: `json`. */
  readonly auditLogFormat?: string | undefined;
  /** Kubeconfig file of the service that events are sent to. */
  readonly auditWebhookConfigFile?: string | undefined;
  /** The first pause before a batch that failed is sent again, in milliseconds. Default: ten seconds. */
  readonly auditWebhookInitialBackoffMs?: number | undefined;
}

export type AuditBackend = 'Log' | 'Webhook';

/** The options of both backends, such as `auditLogMode` and `auditWebhookMode`. */
type OptionsOf<B extends AuditBackend> = {
  readonly [K in keyof BackendOptions as `audit${B}${Capitalize<K>}`]?: BackendOptions[K] | undefined;
};

interface BackendOptions {
  /** `blocking`, `blocking-strict` or `batch`. Default: `blocking` of the log, `batch` of the webhook. */
  readonly mode: string;
  /** For `batch`: events that may wait. Default: 10,000. */
  readonly batchBufferSize: number;
  /** For `batch`: events of a batch. Default: 1 of the log, 400 of the webhook. */
  readonly batchMaxSize: number;
  /** For `batch`: milliseconds that an event waits for others. Default: none, and 30 seconds of the webhook. */
  readonly batchMaxWaitMs: number;
  /** For `batch`: whether batches a second are limited. Default: false of the log, true of the webhook. */
  readonly batchThrottleEnable: boolean;
  /** Batches a second on average. Default of the webhook: 10. */
  readonly batchThrottleQps: number;
  /** Batches at once after a pause. Default of the webhook: 15. */
  readonly batchThrottleBurst: number;
  /** Whether events lose their bodies when they are too large. Default: false. */
  readonly truncateEnabled: boolean;
  /** Bytes of an event that is too large. Default: 102,400. */
  readonly truncateMaxEventSize: number;
}
