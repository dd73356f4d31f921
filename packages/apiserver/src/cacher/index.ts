export { Cacher, type CacherOptions } from './cacher.js';
export type { CacherWatch, CacherWatchOptions } from './cacher-watch.js';
export { ObjectChange, ObjectEvent, type ObjectEventType, type ObjectFilter } from './event.js';
export type { FeedGate } from './feed-gate.js';
export type { FieldValue } from './field-index.js';
export type { Freshness } from './freshness.js';
export type { ObjectState } from './past-state.js';
export type { CacherStatistics } from './statistics.js';
export type { Watcher, WatcherEnd } from './watcher.js';
