export { LruMap } from './lru-map.js';
