import type { AuditBackend } from '../../../embed/index.js';
import type { ServeOption } from '../serve-option.js';

/** Which requests are recorded, and where. The names are kube-apiserver's. */
export const auditOptions: readonly ServeOption[] = [
  {
    name: 'audit-policy-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'auditPolicyFile',
    description:
      'file with an audit.k8s.io/v1 Policy, which decides which requests are recorded, and in how much detail',
  },
  {
    name: 'audit-log-path',
    type: 'text',
    placeholder: 'FILE',
    key: 'auditLogPath',
    description: 'file to append audit events to, one line each; - for standard output',
  },
  {
    name: 'audit-log-maxsize',
    type: 'count',
    placeholder: 'MEGABYTES',
    key: 'auditLogMaxSize',
    default: '100',
    description: 'size at which the audit log is renamed to a backup, whose name has the time',
  },
  {
    name: 'audit-log-maxbackup',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'auditLogMaxBackup',
    default: '0',
    description: 'backups of the audit log to keep; 0 keeps all',
  },
  {
    name: 'audit-log-maxage',
    type: 'count',
    placeholder: 'DAYS',
    key: 'auditLogMaxAge',
    default: '0',
    description: 'how long backups of the audit log are kept; 0 keeps them forever',
  },
  {
    name: 'audit-log-compress',
    type: 'switch',
    key: 'auditLogCompress',
    default: 'false',
    description: 'compress backups of the audit log with gzip',
  },
  {
    name: 'audit-log-format',
    type: 'text',
    placeholder: 'FORMAT',
    key: 'auditLogFormat',
    default: 'json',
    description: 'json for the whole event, or legacy for a line of its main facts',
  },
  ...backendOptions('Log', { mode: 'blocking', size: '1', wait: '0s', throttle: 'false' }),
  {
    name: 'audit-webhook-config-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'auditWebhookConfigFile',
    description: 'kubeconfig file of a service that gets audit events, as an audit.k8s.io/v1 EventList',
  },
  {
    name: 'audit-webhook-initial-backoff',
    type: 'duration',
    placeholder: 'DURATION',
    key: 'auditWebhookInitialBackoffMs',
    default: '10s',
    description: 'pause before the first of at most four retries, when events could not be sent',
  },
  ...backendOptions('Webhook', {
    mode: 'batch',
    size: '400',
    wait: '30s',
    throttle: 'true',
    qps: '10',
    burst: '15',
  }),
];

interface Defaults {
  readonly mode: string;
  readonly size: string;
  readonly wait: string;
  readonly throttle: string;
  readonly qps?: string;
  readonly burst?: string;
}

function backendOptions(backend: AuditBackend, defaults: Defaults): readonly ServeOption[] {
  return [...batchOptions(backend, defaults), ...limitOptions(backend, defaults)];
}

function batchOptions(backend: AuditBackend, { mode, size, wait }: Defaults): readonly ServeOption[] {
  const flag = `audit-${backend.toLowerCase()}`;
  return [
    {
      name: `${flag}-mode`,
      type: 'text',
      placeholder: 'MODE',
      key: `audit${backend}Mode`,
      default: mode,
      description:
        'blocking makes a request wait until its arrival is stored; blocking-strict also refuses it if that fails; batch stores events later, and no request waits',
    },
    {
      name: `${flag}-batch-buffer-size`,
      type: 'count',
      placeholder: 'NUMBER',
      key: `audit${backend}BatchBufferSize`,
      default: '10000',
      description: 'events that may wait in batch mode; further ones are lost',
    },
    {
      name: `${flag}-batch-max-size`,
      type: 'count',
      placeholder: 'NUMBER',
      key: `audit${backend}BatchMaxSize`,
      default: size,
      description: 'largest number of events in a batch',
    },
    {
      name: `${flag}-batch-max-wait`,
      type: 'duration',
      placeholder: 'DURATION',
      key: `audit${backend}BatchMaxWaitMs`,
      default: wait,
      description: 'longest time to wait until a batch is full',
    },
  ];
}

function limitOptions(backend: AuditBackend, { throttle, qps, burst }: Defaults): readonly ServeOption[] {
  const flag = `audit-${backend.toLowerCase()}`;
  return [
    {
      name: `${flag}-batch-throttle-enable`,
      type: 'switch',
      key: `audit${backend}BatchThrottleEnable`,
      default: throttle,
      description: 'limit the number of batches per second',
    },
    {
      name: `${flag}-batch-throttle-qps`,
      type: 'decimal',
      placeholder: 'NUMBER',
      key: `audit${backend}BatchThrottleQps`,
      ...(qps === undefined ? {} : { default: qps }),
      description: 'average number of batches per second',
    },
    {
      name: `${flag}-batch-throttle-burst`,
      type: 'count',
      placeholder: 'NUMBER',
      key: `audit${backend}BatchThrottleBurst`,
      ...(burst === undefined ? {} : { default: burst }),
      description: 'number of batches allowed at once after a pause',
    },
    {
      name: `${flag}-truncate-enabled`,
      type: 'switch',
      key: `audit${backend}TruncateEnabled`,
      default: 'false',
      description: 'remove the bodies of events that are too large, and drop events that are still too large',
    },
    {
      name: `${flag}-truncate-max-event-size`,
      type: 'count',
      placeholder: 'BYTES',
      key: `audit${backend}TruncateMaxEventSize`,
      default: '102400',
      description: 'largest size of an event',
    },
  ];
}
