export type {
  Fault,
  FaultAction,
  FaultMatch,
  FaultRule,
  Faults,
  Wanted,
  WatchEnding,
} from '@binnacle/apiserver/faults';
export { testServer, type TestServer, type TestServerOptions } from './test-server.js';
export type { InstalledWebhooks, WebhookInstallOptions } from './webhooks.js';
