export { openEmbeddedKV, type EmbeddedKVOptions } from './open.js';
