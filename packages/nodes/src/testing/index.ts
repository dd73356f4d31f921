export { MemoryNetwork } from './memory-network.js';
export { MemoryProcess, MemorySystem } from './memory-system.js';
