export { createStorageVersionGarbageCollector } from './storage-version-garbage-collector.js';
