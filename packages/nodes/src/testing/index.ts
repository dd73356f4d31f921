export { MemoryProcess, MemorySystem } from './memory-system.js';
