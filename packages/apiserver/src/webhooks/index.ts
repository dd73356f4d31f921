export { describeFailure, describeStatus, WebhookCallError } from './call-error.js';
export { ExpiringCache } from './expiring-cache.js';
export { LongAnswers } from './long-answers.js';
export type { CallCredentials, ServiceCredentials } from './credentialed-connections.js';
export {
  type PostOptions,
  RemoteService,
  type RemoteServiceConfig,
  type RemoteServiceOptions,
  type RetryOptions,
} from './remote-service.js';
export { type Address, clusterServices, type ServiceResolver, type ServiceSources } from './service-resolver.js';
export { SharedCalls } from './shared-calls.js';
export { type CallOptions, WebhookClient, type WebhookClientOptions } from './webhook-client.js';
export { WebhookClients } from './webhook-clients.js';
export { credentialsForHost, type WebhookUsers } from './webhook-users.js';
export { WebhookConnections, type WebhookConnectionsOptions } from './webhook-connections.js';
