export { createKVServer, type KVServer } from './serve.js';
export { openSocketKV, type SocketKVOptions } from './socket-kv.js';
