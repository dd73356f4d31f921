export type { Authenticator, Credentials, UserInfo } from './user.js';
