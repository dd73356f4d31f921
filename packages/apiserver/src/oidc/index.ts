export type { AuthenticationFile } from './configuration.js';
export type { IssuerObserver } from './issuer-authenticator.js';
export { ALL_ALGORITHMS, type AnonymousPaths, type AuthenticationRules } from './issuer-rules.js';
export { type IssuerTokensOptions, issuerTokenAuthenticator } from './issuer-tokens.js';
export { authenticationRules, readAuthenticationConfiguration } from './read-configuration.js';
