export {
  type ClientConfig,
  defaultDataDirectory,
  type ForkStartOptions,
  type RunningBinnacle,
  start,
  StartError,
  type StartErrorCode,
  type AuthenticationStartOptions,
  type EncryptionStartOptions,
  type TlsStartOptions,
  type AuthorizationStartOptions,
  type StartOptions,
} from './embed/index.js';
