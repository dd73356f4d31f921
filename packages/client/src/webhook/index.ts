export type { AdmissionContext, AdmissionOperation, AdmissionRequest } from './admission-request.js';
export type { MutateHandler, ValidateHandler } from './admission.js';
export type { CaInjectionTargets } from './ca-injector.js';
export type { ConvertHandler, VersionedObject } from './conversion.js';
export { deny, type DenyOptions } from './deny.js';
export type { WebhookAnswer, WebhookCall } from './review.js';
export { serveWebhooks, type ServeWebhooksOptions, type WebhookServer } from './server.js';
export {
  type ConversionWebhookOptions,
  type MutatingWebhookOptions,
  type ValidatingWebhookOptions,
  type Webhook,
  webhook,
} from './webhook.js';
