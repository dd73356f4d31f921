export { type ReadAuditPolicy, readAuditPolicy } from './read-policy.js';
