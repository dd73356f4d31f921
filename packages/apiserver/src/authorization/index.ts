export type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.js';
