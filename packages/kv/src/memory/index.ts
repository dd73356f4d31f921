export { type MemoryKV, openMemoryKV, type MemoryKVOptions } from './open.js';
