export { jsonFormat, textFormat } from './formats.js';
export { Log, type LogOptions } from './log.js';
export type { LogFormat, LogRecord, LogValue } from './record.js';
