export { type ConfiguredWebhook, type AnyWebhook, type WebhookConfiguration } from './configured-webhook.js';
export { mutatingWebhooks } from './mutating-webhooks.js';
export type { ObservedCall, RejectionCause, WebhookObserver, WebhookType } from './observer.js';
export { validatingWebhooks } from './validating-webhooks.js';
export { WebhookCalls, type WebhookCallsOptions } from './webhook-call.js';
export { WebhookSource, type WebhookSourceOptions } from './webhook-source.js';
