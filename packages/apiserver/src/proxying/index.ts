export { type Answer, BackendCall, type BackendRequest } from './backend-call.js';
export { copyAnswer } from './copied-answer.js';
export {
  passedHeaders,
  type PassOptions,
  type ProxiedRequest,
  returnedHeaders,
  type SentHeaders,
  type UserHeaders,
} from './passed-headers.js';
export { type RewriteRules, rewriteUrl } from './rewrite-url.js';
export { encodePath, encodeTarget } from './target.js';
export { joined, proxyUpgrade, type UpgradedBackend } from './upgraded-connection.js';
