export { formatDuration, parseDuration } from './duration.js';
export { humanDuration } from './human-duration.js';
export { TimeParseError } from './errors.js';
export {
  formatMicroTime,
  formatTime,
  nearestRepresentable,
  normalizeMicroTime,
  normalizeStoredMicroTime,
  normalizeStoredTime,
  normalizeTime,
  parseMicroTime,
  parseMicroTimestamp,
  parseTime,
  parseTimestamp,
  type Timestamp,
} from './rfc3339.js';
export { TimeZone } from './time-zone.js';
