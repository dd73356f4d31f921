export { Cacher, type CacherOptions, type CacherWatch, type CacherWatchOptions } from './cacher.js';
export { ObjectChange, ObjectEvent, type ObjectEventType, type ObjectFilter } from './event.js';
export type { Watcher, WatcherEnd } from './watcher.js';
