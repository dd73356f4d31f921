export { type TokenWebhookOptions, tokenWebhookAuthenticator } from './token-webhook.js';
