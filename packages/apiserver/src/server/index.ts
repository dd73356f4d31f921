export type { StorageMediaType } from '../codec/index.js';
export type { AbacPolicy, AuthorizationAttributes, Decision } from '../authorization/index.js';
export type { AccessWebhook, AuthorizerRule } from '../reviewwebhooks/index.js';
export type { ConnectionSource, NamedCertificate } from '../http/index.js';
export type { CallCredentials, RemoteServiceConfig, ServiceCredentials, WebhookUsers } from '../webhooks/index.js';
export type {
  AuthenticationOptions,
  AuthorizationOptions,
  Delegation,
  FrontProxyOptions,
  RunningServer,
  ServerOptions,
  ServiceAccountOptions,
  TokenWebhook,
} from './options.js';
export { type InProcessServerOptions, startInProcessServer } from './start-in-process-server.js';
export { startServer } from './start-server.js';
export { parseValueRetentions, type ValueRetention } from './value-retention.js';
