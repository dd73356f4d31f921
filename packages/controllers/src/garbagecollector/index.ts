export { createGarbageCollector } from './garbage-collector.js';
