export type {
  Fault,
  FaultAction,
  FaultMatch,
  FaultRule,
  Faults,
  Wanted,
  WatchEnding,
} from '@binnacle/apiserver/faults';
export { type ServerSnapshot, testServer, type TestServer, type TestServerOptions } from './test-server.js';
export type { InstalledWebhooks, WebhookInstallOptions } from './webhooks.js';
