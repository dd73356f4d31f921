export { type TokenCacheObserver, type TokenWebhookOptions, tokenWebhookAuthenticator } from './token-webhook.js';
export {
  type AccessCallResult,
  type AccessConditions,
  type AccessWebhook,
  accessWebhookAuthorizer,
  type AccessWebhookObserver,
  type AuthorizerRule,
  type ConditionsOutcome,
} from './access-webhook.js';
export { type ImageWebhook, imageReviewer } from './image-webhook.js';
