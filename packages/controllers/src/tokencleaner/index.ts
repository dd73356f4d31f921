export { createTokenCleanerLoop } from './token-cleaner-loop.js';
