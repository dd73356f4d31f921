/** A flag of kube-apiserver that `binnacle serve` does not have. */
export interface UpstreamFlag {
  /** Without the dashes. */
  readonly name: string;
  /** Whether the flag takes no value. */
  readonly isSwitch?: true;
  /** The end of the sentence that begins with the flag. */
  readonly why: string;
}

/** Flags that mean nothing here. They are accepted, so that a command line of kube-apiserver starts a server. */
export const idleFlags: readonly UpstreamFlag[] = [
  { name: 'apiserver-count', why: 'servers find each other by their leases' },
  { name: 'audit-log-version', why: 'events are audit.k8s.io/v1' },
  { name: 'audit-webhook-version', why: 'events are audit.k8s.io/v1' },
  { name: 'contention-profiling', isSwitch: true, why: 'one thread has no contention' },
  { name: 'coordinated-leadership-lease-duration', why: 'components elect their leader by themselves' },
  { name: 'coordinated-leadership-renew-deadline', why: 'components elect their leader by themselves' },
  { name: 'coordinated-leadership-retry-period', why: 'components elect their leader by themselves' },
  { name: 'default-watch-cache-size', why: 'caches hold all objects, and recent changes by their bytes' },
  {
    name: 'delete-collection-workers',
    why: 'a deletecollection deletes 32 objects at once, or one if a webhook or a policy may see them',
  },
  { name: 'emulation-forward-compatible', isSwitch: true, why: 'the server has one version' },
  { name: 'enable-garbage-collector', isSwitch: true, why: 'the server always waits for finalizers' },
  { name: 'enable-logs-handler', isSwitch: true, why: 'the server has no files of logs' },
  { name: 'etcd-count-metric-poll-period', why: 'a scrape counts the objects' },
  { name: 'etcd-db-metric-poll-interval', why: 'a scrape asks etcd' },
  { name: 'kubelet-read-only-port', why: 'kube-apiserver ignores it too' },
  { name: 'lease-reuse-duration-seconds', why: 'the server chooses how many keys share a lease of etcd' },
  { name: 'log-flush-frequency', why: 'lines are written at once' },
  { name: 'log-json-info-buffer-size', why: 'lines are written at once' },
  { name: 'log-text-info-buffer-size', why: 'lines are written at once' },
  { name: 'max-connection-bytes-per-sec', why: 'streams have the speed of their slower end' },
  { name: 'peer-advertise-ip', why: 'servers pass no requests to each other' },
  { name: 'peer-advertise-port', why: 'servers pass no requests to each other' },
  { name: 'peer-ca-file', why: 'servers pass no requests to each other' },
  { name: 'runtime-config-emulation-forward-compatible', isSwitch: true, why: 'the server has one version' },
  { name: 'storage-backend', why: '--etcd-servers and --data-dir choose the store' },
  { name: 'storage-initialization-timeout', why: 'requests wait for the caches that they need' },
  { name: 'watch-cache-sizes', why: 'caches hold all objects, and recent changes by their bytes' },
];

/** Flags with an effect that is not built. Giving one is an error, so that its effect is not silently missing. */
export const missingFlags: readonly UpstreamFlag[] = [
  { name: 'aggregator-reject-forwarding-redirect', isSwitch: true, why: 'redirects are always passed on' },
  { name: 'allow-metric-labels', why: 'the values of labels are bounded' },
  { name: 'allow-metric-labels-manifest', why: 'the values of labels are bounded' },
  { name: 'audit-log-truncate-max-batch-size', why: 'a line of the log has one event' },
  { name: 'audit-webhook-truncate-max-batch-size', why: '--audit-webhook-batch-max-size limits a batch' },
  { name: 'cert-dir', why: 'certificates are in --data-dir' },
  { name: 'cors-allowed-origins', why: 'no page of another origin may call the server' },
  { name: 'debug-socket-path', why: 'there is no such socket' },
  { name: 'default-not-ready-toleration-seconds', why: 'pods stay for 300 seconds' },
  { name: 'default-unreachable-toleration-seconds', why: 'pods stay for 300 seconds' },
  { name: 'disabled-metrics', why: 'all metrics are served' },
  { name: 'egress-selector-config-file', why: 'the server connects directly' },
  { name: 'emulated-version', why: 'the server has one version' },
  { name: 'etcd-healthcheck-timeout', why: 'checks of the store have two seconds' },
  { name: 'etcd-readycheck-timeout', why: 'checks of the store have two seconds' },
  { name: 'etcd-servers-overrides', why: 'all resources are in one store' },
  { name: 'external-hostname', why: 'the server has its bind address' },
  { name: 'goaway-chance', why: 'connections last until a client or a stop ends them' },
  { name: 'http2-max-streams-per-connection', why: 'a connection has the limit of the server' },
  { name: 'kubernetes-service-node-port', why: 'the Service kubernetes has a cluster IP only' },
  { name: 'log-json-split-stream', isSwitch: true, why: 'all lines go to standard error' },
  { name: 'log-text-split-stream', isSwitch: true, why: 'all lines go to standard error' },
  { name: 'min-compatibility-version', why: 'the server has one version' },
  { name: 'permit-address-sharing', isSwitch: true, why: 'one server at a time has an address' },
  { name: 'permit-port-sharing', isSwitch: true, why: 'one server at a time has a port' },
  { name: 'request-timeout', why: 'requests have a minute, and writes 34 seconds' },
  { name: 'service-account-signing-endpoint', why: 'keys are in files' },
  { name: 'service-node-port-range', why: 'node ports are from 30000 to 32767' },
  { name: 'show-hidden-metrics-for-version', why: 'no metric is hidden' },
  { name: 'strict-transport-security-directives', why: 'answers have no such header' },
  { name: 'vmodule', why: 'the verbosity is the same everywhere; use --v' },
];
