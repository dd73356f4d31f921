/** What is recorded of requests, and where. Names and meanings are kube-apiserver's. */
export interface AuditStartOptions {
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
  /** `blocking`, `blocking-strict` or `batch`. Default: `blocking`. */
  readonly auditLogMode?: string | undefined;
  /** For `batch`: events that may wait. Default: 10,000. */
  readonly auditLogBatchBufferSize?: number | undefined;
  /** For `batch`: events of a batch. Default: 1. */
  readonly auditLogBatchMaxSize?: number | undefined;
  /** For `batch`: milliseconds that an event waits for others. Default: none. */
  readonly auditLogBatchMaxWaitMs?: number | undefined;
  /** For `batch`: whether batches a second are limited. Default: false. */
  readonly auditLogBatchThrottleEnable?: boolean | undefined;
  readonly auditLogBatchThrottleQps?: number | undefined;
  readonly auditLogBatchThrottleBurst?: number | undefined;
  /** Whether events lose their bodies when they are too large. Default: false. */
  readonly auditLogTruncateEnabled?: boolean | undefined;
  /** Bytes of an event that is too large. Default: 102,400. */
  readonly auditLogTruncateMaxEventSize?: number | undefined;
}
