export { asError, hasErrorCode, messageOf } from './thrown.js';
