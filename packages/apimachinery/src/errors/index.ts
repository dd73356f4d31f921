export { joinMessages } from './join-messages.js';
export { asError, hasErrorCode, messageOf } from './thrown.js';
