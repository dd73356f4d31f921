export { readAuditPolicy } from './read-policy.js';
