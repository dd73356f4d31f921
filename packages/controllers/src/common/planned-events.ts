import type { EventRecorder, EventSubject, EventType } from '@binnacle/client/events';

/** An event for the loop to record. */
export interface PlannedEvent {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

export function recordEvents(recorder: EventRecorder, object: EventSubject, events: readonly PlannedEvent[]): void {
  for (const { type, reason, message } of events) recorder.event(object, type, reason, message);
}
