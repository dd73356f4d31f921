export { openMemoryKV, type MemoryKVOptions } from './open.js';
