export { type BearerToken, bearerToken } from './bearer.js';
export { type BootstrapTokenOptions, bootstrapTokenAuthenticator } from './bootstrap-token.js';
export { clientCertificateAuthenticator } from './client-certificate.js';
export { decodeHeader, decodeHeaderKey, encodeHeader } from './header-text.js';
export { inProcessAuthenticator } from './in-process.js';
export { nodeNameOf } from './node-name.js';
export {
  parseServiceAccountUser,
  serviceAccountGroups,
  type ServiceAccountName,
  serviceAccountUser,
} from './service-account-name.js';
export { parseTokenFile, type TokenEntry, tokenAuthenticator } from './token-file.js';
export { type RequestHeaderOptions, requestHeaderAuthenticator } from './request-header.js';
export { type Authenticate, unionAuthenticator, type UnionOptions } from './union.js';
export {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  type AuthenticationNotes,
  type Authenticator,
  anonymousUser,
  type Credentials,
  refused,
  type UserInfo,
  type ValidityPeriod,
} from './user.js';
export { isWebSocketRequest, parseWebSocketProtocols, type WebSocketProtocols } from './websocket.js';
