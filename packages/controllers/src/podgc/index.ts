export { createPodGarbageCollector } from './pod-gc-loop.js';
