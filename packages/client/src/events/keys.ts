import type { RecordedEvent } from './event.js';

/** The same text for events of one source about one object that agree up to this, what stands before it included. */
export function keyOf(event: RecordedEvent, upTo: 'type' | 'reason' | 'message'): string {
  const { source, involvedObject, type, reason, message } = event;
  const { kind, namespace, name, uid, apiVersion, fieldPath } = involvedObject;
  const parts = [source.component, source.host, kind, namespace, name, uid, apiVersion, type];
  if (upTo !== 'type') parts.push(reason);
  if (upTo === 'message') parts.push(fieldPath, message);
  return JSON.stringify(parts);
}
