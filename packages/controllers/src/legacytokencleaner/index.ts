export { createLegacyTokenCleanerLoop } from './legacy-token-cleaner-loop.js';
