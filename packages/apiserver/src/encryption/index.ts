export { Encryption, type EncryptionOptions } from './encryption.js';
export { EncryptionObserver } from './observer.js';
export { readEncryptionConfiguration } from './read-configuration.js';
