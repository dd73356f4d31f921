export { ApiSink, type ApiSinkOptions } from './api-sink.js';
export { EventBroadcaster, type EventBroadcasterOptions } from './broadcaster.js';
export type { CorrelatorOptions } from './correlator.js';
export { describeEvent, type EventSubject, type EventType, type RecordedEvent, type Reporter } from './event.js';
export type { EventOptions, EventRecorder } from './recorder.js';
export { type EventSink, LogSink } from './sink.js';
