export type { StorageMediaType } from '../codec/index.js';
export type { AuthorizationAttributes, Decision } from '../authorization/index.js';
export type { RemoteServiceConfig, ServiceCredentials } from '../webhooks/index.js';
export type {
  AuthenticationOptions,
  Delegation,
  FrontProxyOptions,
  RunningServer,
  ServerOptions,
  ServiceAccountOptions,
  TokenWebhook,
} from './options.js';
export { type InProcessServerOptions, startInProcessServer } from './start-in-process-server.js';
export { startServer } from './start-server.js';
