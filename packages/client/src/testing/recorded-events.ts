import { describeEvent, type EventSink, type RecordedEvent } from '../events/index.js';

/** A sink that keeps its events. */
export class RecordedEvents implements EventSink {
  readonly events: RecordedEvent[] = [];

  record(event: RecordedEvent): void {
    this.events.push(event);
  }

  /** `Normal Synced Widget shop/web: widget synced`, in order. */
  get lines(): string[] {
    return this.events.map(describeEvent);
  }
}
