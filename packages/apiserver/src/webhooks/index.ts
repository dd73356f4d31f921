export { describeFailure, WebhookCallError } from './call-error.js';
export { type Address, clusterServices, type ServiceResolver, type ServiceSources } from './service-resolver.js';
export { WebhookClient, type WebhookClientOptions } from './webhook-client.js';
