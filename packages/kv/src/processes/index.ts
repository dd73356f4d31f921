export { identityOf, isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js';
