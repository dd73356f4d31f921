import type { ServeOption } from './serve-option.js';
import { admissionOptions } from './options/admission-options.js';
import { auditOptions } from './options/audit-options.js';
import { authenticationOptions } from './options/authentication-options.js';
import { authorizationOptions } from './options/authorization-options.js';
import { backendOptions } from './options/backend-options.js';
import { clusterOptions } from './options/cluster-options.js';
import { frontProxyOptions } from './options/front-proxy-options.js';
import { limitOptions } from './options/limit-options.js';
import { loggingOptions } from './options/logging-options.js';
import { serviceAccountOptions } from './options/service-account-options.js';
import { servingOptions } from './options/serving-options.js';
import { storageOptions } from './options/storage-options.js';

/**
 * All options of `binnacle serve`, in the order of help. Names and meanings are kube-apiserver's where it has such a flag. Only Binnacle has
 * `data-dir`, `in-memory`, `write-kubeconfig`, `process-nodes`, `history-retention`, `history-retention-for`, `max-memory`, `workers`, `etcd-username`, `etcd-password-file`,
 * `egress-deny-cidrs` and `fault-injection`.
 */
export const serveOptions: readonly ServeOption[] = [
  ...servingOptions,
  ...storageOptions,
  ...authenticationOptions,
  ...frontProxyOptions,
  ...serviceAccountOptions,
  ...authorizationOptions,
  ...admissionOptions,
  ...backendOptions,
  ...limitOptions,
  ...clusterOptions,
  ...auditOptions,
  ...loggingOptions,
  {
    name: 'fault-injection',
    type: 'switch',
    key: 'faultInjection',
    default: 'false',
    description:
      'for tests only: administrators can make requests fail, watches break and caches lag, at /debug/faults',
  },
];
