export { rejectionOf } from './rejection.js';
